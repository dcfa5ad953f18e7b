import { operatorSymbol } from '../../text/operator-symbols.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TableKey } from '../../types/names.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';
import { computedIn, ownColumns, rootColumns, variablesOf } from '../dependencies.ts';
import { impliedRelationship } from '../implied-relationship.ts';
import { unguardedParts } from '../visit.ts';
import { makePolicyView, type PolicyView, viewName } from './policy-views.ts';
import { called, compare, type Frame, type PrintScope, subject } from './print-comparison.ts';
import { variableCheck } from './print-operand.ts';

/**
 * A printed expression, and the policy views that it reads. The role that evaluates it must be able to read these
 * views.
 */
export interface PrintedExpression {
  readonly text: SqlText;
  readonly views: readonly PolicyView[];
}

const yes = sql`true`;

/**
 * Prints a rule's expression about a row of `table`. It begins with the variable check, which is false when a session
 * variable that the rule reads is missing. `row` is the alias of the row; default: the bare name of the table, as in
 * policies.
 */
export function printRule(
  expression: BoolExp,
  table: TableModel,
  scope: PrintScope,
  row: SqlText = ident(table.name),
): PrintedExpression {
  const used = new Set<PolicyView>();
  const body = print(expression, { table, row, root: row, depth: 0, used }, scope);
  const present = variableCheck(variablesOf(unguardedParts(expression)), scope.gatewayRole);
  return { text: present ? sql`(${present} and ${body})` : body, views: [...used] };
}

function print(expression: BoolExp, frame: Frame, scope: PrintScope): SqlText {
  switch (expression.kind) {
    case 'and':
      return combine(expression.items, ' and ', yes, frame, scope);
    case 'or':
      return combine(expression.items, ' or ', sql`false`, frame, scope);
    case 'not':
      return sql`(not ${print(expression.item, { ...frame, negated: true }, scope)})`;
    case 'guarded':
      return guarded(expression.item, frame, scope);
    case 'isNull':
      return sql`(${subject(expression.column, frame, scope)} is ${expression.negated ? sql`not null` : sql`null`})`;
    case 'compare':
      return compare(expression, frame, scope);
    case 'related':
      return related(expression.relationship, expression.item, frame, scope);
    case 'exists':
      return exists(expression.table, expression.item, frame, scope);
    case 'computedRows':
      return computedRows(expression, frame, scope);
  }
}

function guarded(item: BoolExp, frame: Frame, scope: PrintScope): SqlText {
  const body = print(item, frame, scope);
  const present = variableCheck(variablesOf([item]), scope.gatewayRole);
  return present ? sql`(${present} and ${body})` : body;
}

function combine(
  items: readonly BoolExp[],
  word: ' and ' | ' or ',
  empty: SqlText,
  frame: Frame,
  scope: PrintScope,
): SqlText {
  const [first, ...more] = items.map((item) => print(item, frame, scope));
  if (!first) return empty;
  return more.length === 0 ? first : sql`(${join([first, ...more], word)})`;
}

/**
 * Prints a condition that is true if some related row satisfies `item`, and otherwise false, never null. A view of the
 * policy role reads the other table, so the role's own rights on that table do not change the result.
 */
function related(
  relationship: Relationship,
  item: BoolExp,
  frame: Frame,
  scope: PrintScope,
): SqlText {
  const remote = tableOf(relationship.table, scope);
  if (rootColumns(item).size > 0) return relatedToRoot(relationship, remote, item, frame, scope);
  return amongKeys(relationship, item, frame, scope);
}

/** Prints a condition that is true if the row's key is among the keys of the related rows that satisfy `item`. */
export function amongKeys(
  relationship: Relationship,
  item: BoolExp,
  frame: Frame,
  scope: PrintScope,
): SqlText {
  const view = keyView(relationship, tableOf(relationship.table, scope), item, scope);
  frame.used.add(view);
  const [pair, ...more] = relationship.columns;
  // Comparing an array key with `any` would fail: Postgres turns an array of arrays into one array with more
  // dimensions, and `any` visits the innermost elements.
  const isArray = frame.table.columns.get(pair?.local ?? '')?.type.element !== undefined;
  // Below a security barrier view, only a leakproof comparison can use an index. So a lookup by key is fast only with a
  // leakproof comparison.
  const lookedUp = scope.written === true && pair?.equals.leakproof === true;
  // Postgres would compare each row with each key of the array. For `exists`, it hashes the keys.
  const isHashed = frame.negated === true;
  if (!pair || more.length > 0 || isArray || lookedUp || isHashed) {
    return byAllKeys(relationship, view, frame, scope);
  }
  const local = sql`${frame.row}.${ident(pair.local)}`;
  const key = sql`array(select v."k1" from ${viewName(view)} as v)`;
  const found = sql`${local} operator(${ident(pair.equals.schema)}.${operatorSymbol(pair.equals.symbol)}) any (${key})`;
  return nullable(frame.table, pair.local)
    ? sql`(${local} is not null and ${found})`
    : sql`(${found})`;
}

/**
 * Prints a condition that is true if the view of keys has a row with the keys of the tested row. `offset 0` makes
 * Postgres look the keys up for each row. Without it, the planner may collect all keys of the view first, which costs
 * more than one lookup when the caller has many keys.
 */
function byAllKeys(
  relationship: Relationship,
  view: PolicyView,
  frame: Frame,
  { written }: PrintScope,
): SqlText {
  const alias = aliasFor(frame);
  const isLookup = written === true && relationship.columns.every((pair) => pair.equals.leakproof);
  const equal = relationship.columns.map((pair, index) =>
    joined(frame.row, pair, sql`${alias}.${ident(`k${index + 1}`)}`),
  );
  const end = isLookup ? sql` offset 0` : sql``;
  return sql`(exists (select 1 from ${viewName(view)} as ${alias} where ${join(equal, ' and ')}${end}))`;
}

/** Prints that a row has the key of a related row, of which `remote` is the column. */
export function joined(
  row: SqlText,
  pair: Relationship['columns'][number],
  remote: SqlText,
): SqlText {
  const { schema, symbol } = pair.equals;
  return sql`${row}.${ident(pair.local)} operator(${ident(schema)}.${operatorSymbol(symbol)}) ${remote}`;
}

/** Makes the policy view that shows the join keys of the related rows that satisfy `item`. */
function keyView(
  relationship: Relationship,
  remote: TableModel,
  item: BoolExp,
  scope: PrintScope,
): PolicyView {
  const alias = ident('r');
  const printed = printRule(item, remote, scope, alias);
  const keys = relationship.columns.map((pair) => pair.remote);
  const present = keys
    .filter((key) => nullable(remote, key))
    .map((key) => sql`${alias}.${ident(key)} is not null`);
  return makePolicyView({
    table: remote,
    alias,
    shown: keys.map((key, index) => ({
      name: `k${index + 1}`,
      value: sql`${alias}.${ident(key)}`,
    })),
    where: join([printed.text, ...present], ' and '),
    columns: [...keys, ...ownColumns(item), ...rootColumns(item)],
    below: printed.views,
  });
}

/**
 * Prints a condition on related rows that compares them with the rule's own row. A view cannot refer to the rule's own
 * row. So the policy view shows the columns to compare, and the comparison stays outside the view.
 */
function relatedToRoot(
  relationship: Relationship,
  remote: TableModel,
  item: BoolExp,
  frame: Frame,
  scope: PrintScope,
): SqlText {
  const keys = relationship.columns.map((pair) => pair.remote);
  const { alias, view, condition } = openView(remote, item, keys, frame, scope);
  const equal = relationship.columns.map((pair) =>
    joined(frame.row, pair, sql`${alias}.${ident(pair.remote)}`),
  );
  return sql`(exists (select 1 from ${viewName(view)} as ${alias} where ${join([...equal, condition], ' and ')}))`;
}

function exists(key: TableKey, item: BoolExp, frame: Frame, scope: PrintScope): SqlText {
  const remote = tableOf(key, scope);
  const implied = frame.depth === 0 ? impliedRelationship(key, item) : undefined;
  if (implied) return amongKeys(implied.relationship, implied.item, frame, scope);
  if (rootColumns(item).size > 0) {
    const { alias, view, condition } = openView(remote, item, [], frame, scope);
    return sql`(exists (select 1 from ${viewName(view)} as ${alias} where ${condition}))`;
  }
  const alias = ident('r');
  const printed = printRule(item, remote, scope, alias);
  const view = makePolicyView({
    table: remote,
    alias,
    shown: [{ name: 'found', value: yes }],
    where: printed.text,
    columns: ownColumns(item),
    below: printed.views,
  });
  frame.used.add(view);
  return sql`(exists (select 1 from ${viewName(view)} as v))`;
}

/**
 * Prints a condition on the rows that a computed field's function returns. The author of the function decides which
 * rows these are, so no policy view filters them.
 */
function computedRows(
  { field, table, item }: Extract<BoolExp, { kind: 'computedRows' }>,
  frame: Frame,
  scope: PrintScope,
): SqlText {
  const alias = aliasFor(frame);
  const { root, depth, used } = frame;
  const inner = { table: tableOf(table, scope), row: alias, root, depth: depth + 1, used };
  const rows = called(field, frame, scope);
  return sql`(exists (select 1 from ${rows} as ${alias} where ${print(item, inner, scope)}))`;
}

function openView(
  remote: TableModel,
  item: BoolExp,
  keys: readonly string[],
  frame: Frame,
  scope: PrintScope,
): { alias: SqlText; view: PolicyView; condition: SqlText } {
  const base = ident('r');
  const columns = [...new Set([...keys, ...ownColumns(item)])].sort();
  const shown = columns.map((name) => ({ name, value: sql`${base}.${ident(name)}` }));
  // The function takes a row of the table's type, but a row of the view has another type. So the view also shows the
  // whole row of the table as a column.
  const whole = { name: wholeName(remote), value: sql`${base}.*::${qualified(remote)}` };
  if (computedIn(item).length > 0) shown.push(whole);
  const view = makePolicyView({
    table: remote,
    alias: base,
    shown: shown.length > 0 ? shown : [{ name: 'found', value: yes }],
    where: variableCheck(variablesOf([item]), scope.gatewayRole),
    columns,
    below: [],
  });
  frame.used.add(view);
  const alias = aliasFor(frame);
  const inner = {
    ...{ ...frame, table: remote, row: alias, depth: frame.depth + 1 },
    whole: sql`${alias}.${ident(whole.name)}`,
  };
  return { alias, view, condition: print(item, inner, scope) };
}

function wholeName({ columns }: TableModel): string {
  let name = 'whole row';
  while (columns.has(name)) name += '~';
  return name;
}

/**
 * Returns an alias for a related row. It must differ from the names of the rule's own row and of outer rows, which the
 * condition may still refer to.
 */
function aliasFor(frame: Frame): SqlText {
  const alias = ident(`r${frame.depth + 1}`);
  return alias.text === frame.root.text ? ident(`r${frame.depth + 1}~`) : alias;
}

export function nullable(table: TableModel, name: string): boolean {
  return table.columns.get(name)?.notNull !== true;
}

/** Returns a table of the model, which every table of a resolved expression is. */
export function tableOf(key: TableKey, scope: PrintScope): TableModel {
  const table = scope.tables.get(key);
  if (!table) throw new RangeError(`no table ${key}`);
  return table;
}
