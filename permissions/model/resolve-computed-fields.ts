import type { Position } from '../diagnostics.ts';
import { didYouMean } from '../load/nearest.ts';
import type { RawColumns } from '../load/raw.ts';
import { isPlainCall } from './resolve-computed.ts';
import type { Scope } from './scope.ts';
import type { ComputedField, SelectRule, TableModel } from './types.ts';

/** Whether a role may hand a whole row to a function: Postgres asks for the right to select every column of it. */
export function readsWholeRow(
  { columns }: Pick<SelectRule, 'columns'>,
  table: TableModel,
): boolean {
  return columns.length === table.columns.size;
}

/** The computed fields with one value that a role may read, in the table's order. */
export function resolveComputedFields(
  raw: RawColumns | undefined,
  columns: readonly string[],
  table: TableModel,
  scope: Scope,
  strictKeys: boolean,
): readonly string[] {
  if (!raw) return [];
  const all = [...table.computedFields.values()].filter(({ result }) => result.kind === 'scalar');
  const problem = (field: ComputedField) => outOfReach(field, columns, table, strictKeys);
  if (raw.kind === 'all') {
    const within = all.filter((field) => problem(field) === undefined);
    for (const field of all) tell(field, problem(field), table, raw.position, scope, 'warning');
    return within.map(({ name }) => name);
  }
  for (const { name, position } of raw.names) {
    const field = table.computedFields.get(name);
    if (field?.result.kind === 'scalar') {
      tell(field, problem(field), table, position, scope, 'error');
    } else reportOther(name, field, table, position, scope);
  }
  const named = new Set(raw.names.map(({ name }) => name));
  return all.map(({ name }) => name).filter((name) => named.has(name));
}

/** Why a role that does not read the whole row cannot read a field of it by the row's key either. */
function outOfReach(
  field: ComputedField,
  columns: readonly string[],
  table: TableModel,
  strictKeys: boolean,
): string | undefined {
  if (readsWholeRow({ columns }, table)) return undefined;
  if (!isPlainCall(field)) return 'and the function takes arguments';
  if (table.primaryKey.length === 0) return 'and the table has no primary key';
  const isHidden = table.primaryKey.some((key) => !columns.includes(key));
  return isHidden && strictKeys ? 'nor the primary key' : undefined;
}

function tell(
  { name }: ComputedField,
  problem: string | undefined,
  table: TableModel,
  position: Position,
  { report }: Scope,
  severity: 'error' | 'warning',
): void {
  if (problem === undefined) return;
  report[severity](
    'RG_COMPUTED_FIELD',
    position,
    `the role cannot read "${name}": it does not read every column of ${table.schema}.${table.name}, ${problem}`,
    'list every column under columns, or make it a generated column',
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
      `"${name}" of ${label} gives rows, and whoever may select those may select it`,
      'take it out of computed_fields',
    );
    return;
  }
  const hint = didYouMean(name, table.computedFields.keys());
  report.error('RG_COMPUTED_FIELD', position, `${label} has no computed field "${name}"`, hint);
}
