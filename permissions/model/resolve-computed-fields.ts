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

/**
 * Whether a role calls the function of a field itself. A login chooses the row and the session that it calls with, so
 * that a function which acts with the rights of its owner is for a view to call.
 */
export function callsItself(
  { definer }: ComputedField,
  select: Pick<SelectRule, 'columns'>,
  table: TableModel,
): boolean {
  return !definer && readsWholeRow(select, table);
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
  const all = valueFields(table);
  const problem = (field: ComputedField) => outOfReach(field, columns, table, strictKeys);
  if (raw.kind === 'all') {
    const within = all.filter((field) => problem(field) === undefined);
    for (const field of all) tell(field, problem(field), raw.position, scope, 'warning');
    return within.map(({ name }) => name);
  }
  for (const { name, position } of raw.names) {
    const field = table.computedFields.get(name);
    if (field?.result.kind === 'scalar') {
      tell(field, problem(field), position, scope, 'error');
    } else reportOther(name, field, table, position, scope);
  }
  const named = new Set(raw.names.map(({ name }) => name));
  return all.map(({ name }) => name).filter((name) => named.has(name));
}

/** Those that a role can read which reads every column, by name. */
export function fieldsOfWholeRow(table: TableModel): readonly string[] {
  const columns = [...table.columns.keys()];
  const within = valueFields(table).filter((field) => !outOfReach(field, columns, table, false));
  return within.map(({ name }) => name);
}

function valueFields({ computedFields }: TableModel): readonly ComputedField[] {
  return [...computedFields.values()].filter(({ result }) => result.kind === 'scalar');
}

interface Problem {
  readonly message: string;
  readonly hint: string;
}

/** Why a role that does not call the function of a field itself cannot read it by the row's key either. */
function outOfReach(
  field: ComputedField,
  columns: readonly string[],
  table: TableModel,
  strictKeys: boolean,
): Problem | undefined {
  if (callsItself(field, { columns }, table)) return undefined;
  const { why, hint } = field.definer ? ofOwner : ofPart(table);
  if (!isPlainCall(field)) return { message: `${why}, and the function takes arguments`, hint };
  if (table.primaryKey.length === 0) {
    return { message: `${why}, and the table has no primary key`, hint };
  }
  const isHidden = table.primaryKey.some((key) => !columns.includes(key));
  if (!isHidden || !strictKeys) return undefined;
  const part = ofPart(table);
  return { message: `${part.why}, nor the primary key`, hint: part.hint };
}

const ofOwner = {
  why: 'the function acts with the rights of its owner',
  hint: 'let it act with the rights of its caller, or make it a generated column',
};

function ofPart({ schema, name }: TableModel): typeof ofOwner {
  return {
    why: `it does not read every column of ${schema}.${name}`,
    hint: 'list every column under columns, or make it a generated column',
  };
}

function tell(
  { name }: ComputedField,
  problem: Problem | undefined,
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
      `"${name}" of ${label} gives rows, and whoever may select those may select it`,
      'take it out of computed_fields',
    );
    return;
  }
  const hint = didYouMean(name, table.computedFields.keys());
  report.error('RG_COMPUTED_FIELD', position, `${label} has no computed field "${name}"`, hint);
}
