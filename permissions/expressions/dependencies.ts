import type { BoolExp, ColumnReference, ComputedReference } from '../types/expressions.ts';
import type { TableKey, VariableUse } from '../types/names.ts';
import type { Preset, SelectRule, TableRules, UpdateRule } from '../types/rules.ts';
import type { ComputedField } from '../types/tables.ts';
import { leadsAway, operandsOf, partsOf, partsOfRow } from './visit.ts';

/**
 * Returns the session variables that expressions and presets read at any depth. A variable that is read as several
 * types is returned once for each type.
 */
export function variablesOf(
  expressions: readonly (BoolExp | undefined)[],
  presets: readonly Preset[] = [],
): readonly VariableUse[] {
  const parts = expressions.flatMap((one) => (one ? partsOf(one) : []));
  const compared = parts.flatMap((part) => (part.kind === 'compare' ? [part.operand] : []));
  const operands = [...compared, ...presets.map(({ value }) => value)].flatMap(operandsOf);
  const uses = operands.flatMap((operand) =>
    operand.kind === 'variable' ? [{ variable: operand.name, type: operand.type }] : [],
  );
  if (uses.length < 2) return uses;
  const distinct = new Map(uses.map((use) => [JSON.stringify(use), use]));
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use);
}

/** Returns the columns that an expression reads from the tested row, without columns of related rows. */
export function ownColumns(expression: BoolExp): ReadonlySet<string> {
  return new Set(partsOfRow(expression).flatMap(columnsOfRow));
}

/** Returns the columns of the rule's own row that conditions on related rows compare with (`["$", column]`). */
export function rootColumns(expression: BoolExp): ReadonlySet<string> {
  return new Set(partsOf(expression).flatMap((part) => comparedColumns(part, 'root')));
}

/**
 * Returns all columns of the rule's own table that a filter reads, whether in a condition on the row itself or in a
 * condition on related rows.
 */
export function filterColumns(filter: BoolExp): readonly string[] {
  return [...ownColumns(filter), ...rootColumns(filter)];
}

/** Returns the columns of the tested row that one part of an expression compares or joins by. */
function columnsOfRow(part: BoolExp): readonly string[] {
  if (part.kind === 'related') return part.relationship.columns.map(({ local }) => local);
  if (part.kind === 'computedRows') return part.columns;
  return comparedColumns(part, 'row');
}

function comparedColumns(part: BoolExp, scope: ColumnReference['scope']): readonly string[] {
  if (part.kind === 'isNull') return columnsOf(part.column, scope);
  if (part.kind !== 'compare') return [];
  const { column, operand } = part;
  const other = operand.kind === 'column' ? columnsOf(operand.reference, scope) : [];
  return [...columnsOf(column, scope), ...other];
}

function columnsOf(
  reference: ColumnReference | ComputedReference,
  scope: ColumnReference['scope'],
): readonly string[] {
  if (reference.scope !== scope) return [];
  return 'field' in reference ? reference.columns : [reference.column];
}

/** Returns the tables that an expression leads to, at any depth. */
export function tablesIn(expression: BoolExp): ReadonlySet<TableKey> {
  const keys = partsOf(expression).flatMap((part) => {
    if (part.kind === 'related') return [part.relationship.table];
    return part.kind === 'exists' || part.kind === 'computedRows' ? [part.table] : [];
  });
  return new Set(keys);
}

/** Returns how often an expression reads another table or calls a function that returns rows: a measure of its cost. */
export function tablesOf(expression: BoolExp): number {
  return partsOf(expression).filter(leadsAway).length;
}

/** Returns the name of a compared column or computed field, as metadata files write it. */
export function subjectOf(reference: ColumnReference | ComputedReference): string {
  return 'field' in reference ? reference.field.name : reference.column;
}

/** Returns the computed fields whose functions an expression calls, at any depth. */
export function computedIn(expression: BoolExp): readonly ComputedField[] {
  return partsOf(expression).flatMap((part) => {
    if (part.kind === 'computedRows') return [part.field];
    const column = part.kind === 'compare' || part.kind === 'isNull' ? part.column : undefined;
    return column && 'field' in column ? [column.field] : [];
  });
}

/**
 * Returns the computed fields whose functions the rules of a role on a table call, including the calls in filters of
 * foreign keys, which must refer to visible rows.
 */
export function computedInRules({
  select,
  insert,
  update,
  delete: removal,
}: TableRules): readonly ComputedField[] {
  return [select, insert, update, removal].flatMap((rule) => (rule ? computedInRule(rule) : []));
}

/**
 * Returns the computed fields whose functions one rule calls. Inside a rule, these functions run with the rights of the
 * applier.
 */
export function computedInRule(rule: ExpressionsOfRule): readonly ComputedField[] {
  const { filter, check, references = [], columnMasks, fieldMasks } = rule;
  const expressions = [
    ...[...(columnMasks?.values() ?? []), ...(fieldMasks?.values() ?? [])],
    ...[filter, check, ...references.map((reference) => reference.filter)],
  ];
  return expressions.flatMap((one) => (one ? computedIn(one) : []));
}

/** The members of a rule that may hold expressions. */
export type ExpressionsOfRule = Partial<
  Pick<SelectRule, 'filter' | 'columnMasks' | 'fieldMasks'> &
    Pick<UpdateRule, 'check' | 'references'>
>;
