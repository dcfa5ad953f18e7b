import type { BoolExp, ColumnReference, ComputedReference } from '../types/expressions.ts';
import type { TableKey, VariableUse } from '../types/names.ts';
import type { Preset, SelectRule, TableRules, UpdateRule } from '../types/rules.ts';
import type { ComputedField } from '../types/tables.ts';
import { leadsAway, operandsOf, partsOf, partsOfRow } from './visit.ts';

/** Every variable that an expression reads, however deep, each with each type once. */
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
  const distinct = new Map(uses.map((use) => [JSON.stringify(use), use]));
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use);
}

/** The columns of the row under test that an expression reads, not those of related rows. */
export function ownColumns(expression: BoolExp): ReadonlySet<string> {
  return new Set(partsOfRow(expression).flatMap(columnsOfRow));
}

/** The columns of the rule's own table that an expression about another row compares with. */
export function rootColumns(expression: BoolExp): ReadonlySet<string> {
  return new Set(partsOf(expression).flatMap((part) => comparedColumns(part, 'root')));
}

/** All columns that an expression depends on: of the row under test, and of the rule's own table below it. */
export function filterColumns(filter: BoolExp): readonly string[] {
  return [...ownColumns(filter), ...rootColumns(filter)];
}

/** Columns of the row that one part reads: those that it compares, and those that lead to other rows. */
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

/** The tables that an expression leads to, however deep. */
export function tablesIn(expression: BoolExp): ReadonlySet<TableKey> {
  const keys = partsOf(expression).flatMap((part) => {
    if (part.kind === 'related') return [part.relationship.table];
    return part.kind === 'exists' || part.kind === 'computedRows' ? [part.table] : [];
  });
  return new Set(keys);
}

/** How often an expression leads to another table or calls a function for its rows. */
export function tablesOf(expression: BoolExp): number {
  return partsOf(expression).filter(leadsAway).length;
}

/** The column or computed field of a comparison, as files name it. */
export function subjectOf(reference: ColumnReference | ComputedReference): string {
  return 'field' in reference ? reference.field.name : reference.column;
}

/** The computed fields whose functions an expression calls, however deep. */
export function computedIn(expression: BoolExp): readonly ComputedField[] {
  return partsOf(expression).flatMap((part) => {
    if (part.kind === 'computedRows') return [part.field];
    const column = part.kind === 'compare' || part.kind === 'isNull' ? part.column : undefined;
    return column && 'field' in column ? [column.field] : [];
  });
}

/** The computed fields whose functions the rules of a role on a table call, the filters of foreign keys included. */
export function computedInRules({
  select,
  insert,
  update,
  delete: removal,
}: TableRules): readonly ComputedField[] {
  return [select, insert, update, removal].flatMap((rule) => (rule ? computedInRule(rule) : []));
}

/** The computed fields whose functions one rule calls, with the rights of the applier. */
export function computedInRule(rule: ExpressionsOfRule): readonly ComputedField[] {
  const { filter, check, references = [], columnMasks, fieldMasks } = rule;
  const expressions = [
    ...[...(columnMasks?.values() ?? []), ...(fieldMasks?.values() ?? [])],
    ...[filter, check, ...references.map((reference) => reference.filter)],
  ];
  return expressions.flatMap((one) => (one ? computedIn(one) : []));
}

/** The places of a rule that may hold expressions. */
export type ExpressionsOfRule = Partial<
  Pick<SelectRule, 'filter' | 'columnMasks' | 'fieldMasks'> &
    Pick<UpdateRule, 'check' | 'references'>
>;
