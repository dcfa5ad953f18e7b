import type { Position } from '../../diagnostics.ts';
import type { Scope } from '../../expressions/resolve/scope.ts';
import type { RawColumns } from '../../metadata/schemas/tables/table-rules.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { ComputedField, TableModel } from '../../types/tables.ts';
import { accessPathOf, type NoAccessPath } from './computed-access.ts';

/** Returns the computed fields with a single value that a role may read, in the table's order. */
export function resolveComputedFields(
  raw: RawColumns | undefined,
  columns: readonly string[],
  table: TableModel,
  scope: Scope,
  strictKeys: boolean,
): readonly string[] {
  if (!raw) return [];
  const all = valueFields(table);
  const problem = (field: ComputedField) => problemOf(field, columns, table, strictKeys);
  if (raw.kind === 'all') {
    const within = all.filter((field) => problem(field) === undefined);
    for (const field of all) reportField(field, problem(field), raw.position, scope, 'warning');
    return within.map(({ name }) => name);
  }
  for (const { name, position } of raw.names) {
    const field = table.computedFields.get(name);
    if (field?.result.kind === 'scalar') {
      reportField(field, problem(field), position, scope, 'error');
    } else reportOther(name, field, table, position, scope);
  }
  const named = new Set(raw.names.map(({ name }) => name));
  return all.map(({ name }) => name).filter((name) => named.has(name));
}

/** Returns the names of the computed fields that a role can read because it reads every column. */
export function fieldsOfWholeRow(table: TableModel): readonly string[] {
  const columns = [...table.columns.keys()];
  const within = valueFields(table).filter((field) => !problemOf(field, columns, table, false));
  return within.map(({ name }) => name);
}

function valueFields({ computedFields }: TableModel): readonly ComputedField[] {
  return [...computedFields.values()].filter(({ result }) => result.kind === 'scalar');
}

/**
 * Returns why a role cannot read a computed field; undefined if the role can read it. Not to be used for roles that
 * inherit the select rule, because their parents' rules decide.
 */
function problemOf(
  field: ComputedField,
  columns: readonly string[],
  table: TableModel,
  strictKeys: boolean,
): NoAccessPath | undefined {
  const select = { columns, columnMasks: new Map(), fieldMasks: new Map() };
  const path = accessPathOf(field, select, table, strictKeys);
  return typeof path === 'string' ? undefined : path;
}

function reportField(
  { name }: ComputedField,
  problem: NoAccessPath | undefined,
  position: Position,
  { report }: Scope,
  severity: 'error' | 'warning',
): void {
  if (problem === undefined) return;
  report[severity](
    'RG_COMPUTED_FIELD',
    position,
    `the role cannot read "${name}": ${problem.message}`,
    problem.hint,
  );
}

function reportOther(
  name: string,
  field: ComputedField | undefined,
  table: TableModel,
  position: Position,
  { report }: Scope,
): void {
  const label = `${table.schema}.${table.name}`;
  if (field) {
    report.error(
      'RG_COMPUTED_FIELD',
      position,
      `"${name}" of ${label} returns rows, and every role that may select those rows may select the field`,
      'take it out of computed_fields',
    );
    return;
  }
  const hint = didYouMean(name, table.computedFields.keys());
  report.error('RG_COMPUTED_FIELD', position, `${label} has no computed field "${name}"`, hint);
}
