import { holdsFor, type World } from './evaluate.ts';
import { type Case, type Expression, named, type Row, type Schema } from './vocabulary.ts';
import { textOfValue } from './write-sql.ts';

/** The ids of the shown or deleted rows. For inserts and updates: the result for each candidate or row. */
export type Outcome = readonly string[];

/** Returns the outcome of a case that the documentation promises. Tests compare the compiler with this outcome. */
export function expectOutcome(schema: Schema, one: Case): Outcome {
  const world: World = { schema, rows: one.rows, variables: one.variables };
  const rows = one.rows[one.table] ?? [];
  const { rule } = one;
  const holds = (expression: Expression, row: Row) =>
    isOpen(expression, one) && holdsFor(expression, one.table, row, world) === true;
  switch (rule.command) {
    case 'select':
    case 'delete':
      return rows.filter((row) => holds(rule.condition, row)).map((row) => String(row.id));
    case 'insert':
      return one.candidates.map((row) => (holds(rule.condition, row) ? 'accepted' : 'refused'));
    case 'update':
      return rows.map((row) => {
        if (!holds(rule.condition, row)) return 'untouched';
        const check = checkOf(rule, schema, one.table);
        return holds(check, changed(row, one)) ? 'updated' : 'refused';
      });
  }
}

/** Returns the row as the update would leave it. */
function changed(row: Row, { rule, candidates }: Case): Row {
  const columns = rule.command === 'update' ? rule.columns : [];
  const fresh = columns.map((column) => [column, candidates[0]?.[column] ?? null]);
  return { ...row, ...Object.fromEntries(fresh) };
}

const always: Expression = { kind: 'and', items: [], merged: true };

function checkOf(
  rule: Extract<Case['rule'], { command: 'update' }>,
  schema: Schema,
  table: string,
): Expression {
  if (rule.check) return rule.check;
  const read = columnsRead(rule.condition, schema, table, true);
  return rule.columns.some((column) => read.includes(column)) ? rule.condition : always;
}

/** Returns the columns of the rule's own row that an expression reads. */
function columnsRead(
  expression: Expression,
  schema: Schema,
  table: string,
  own: boolean,
): readonly string[] {
  const below = (item: Expression, to: string, stays: boolean) =>
    columnsRead(item, schema, to, stays);
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.items.flatMap((item) => below(item, table, own));
    case 'not':
    case 'named':
      return below(expression.item, table, own);
    case 'exists':
      return below(expression.item, expression.table, false);
    case 'related': {
      const { pairs, table: to } = named(
        named(schema, table).relationships,
        expression.relationship,
      );
      const keys = own ? pairs.map(({ local }) => local) : [];
      return [...keys, ...below(expression.item, to, false)];
    }
    case 'column': {
      const others = expression.tests.flatMap(({ operand }) =>
        'column' in operand && (own || operand.root) ? [operand.column] : [],
      );
      return own ? [expression.column, ...others] : others;
    }
  }
}

/**
 * Returns whether all variables of an expression are set. Otherwise the expression holds for no row. A missing variable
 * in the check of an update therefore refuses all rows that the filter accepts.
 */
function isOpen(expression: Expression, { variables }: Case): boolean {
  return namesIn(expression).every((name) => {
    const value = variables[name];
    return value !== undefined && textOfValue(value) !== '';
  });
}

/** Returns the setting names of all variables in a rule, at any depth. */
export function variablesOf(rule: Case['rule']): readonly string[] {
  const check = rule.command === 'update' && rule.check ? namesIn(rule.check) : [];
  return [...new Set([...namesIn(rule.condition), ...check])];
}

function namesIn(expression: Expression): readonly string[] {
  if ('items' in expression) return expression.items.flatMap(namesIn);
  if ('item' in expression) return namesIn(expression.item);
  return expression.tests.flatMap(({ operand }) => {
    if ('variable' in operand) return [operand.variable];
    const items = 'items' in operand ? operand.items : [];
    return items.flatMap((item) => ('variable' in item ? [item.variable] : []));
  });
}
