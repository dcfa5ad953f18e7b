import { variablesOf } from '../../expressions/dependencies.ts';
import { resolveRule } from '../../expressions/resolve/resolve-expression.ts';
import { resolveOperand } from '../../expressions/resolve/resolve-operand.ts';
import { columnType, type Scope } from '../../expressions/resolve/scope.ts';
import type {
  RawColumns,
  RawDelete,
  RawInsert,
  RawPreset,
  RawSelect,
  RawUpdate,
} from '../../metadata/schemas/tables/table-rules.ts';
import { nearest } from '../../text/nearest.ts';
import type { DeleteRule, InsertRule, Preset, SelectRule, UpdateRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { resolveComputedFields } from '../computed-fields/resolve-computed-fields.ts';

export function resolveSelect(
  raw: RawSelect,
  table: TableModel,
  scope: Scope,
  strictKeys: boolean,
): SelectRule {
  const filter = resolveRule(raw.filter, table, scope);
  const columns = resolveColumns(raw.columns, table, scope);
  return {
    filter,
    columns,
    computedFields: resolveComputedFields(raw.computedFields, columns, table, scope, strictKeys),
    columnMasks: new Map(),
    fieldMasks: new Map(),
    allowAggregations: raw.allowAggregations,
    queryFields: raw.queryFields,
    subscriptionFields: raw.subscriptionFields,
    limit: raw.limit,
    variables: variablesOf([filter]),
    position: raw.position,
  };
}

export function resolveInsert(raw: RawInsert, table: TableModel, scope: Scope): InsertRule {
  const check = resolveRule(raw.check, table, scope);
  const presets = resolvePresets(raw.set, table, scope);
  refuseDemanded(raw.set, table, scope);
  return {
    check,
    references: [],
    presets,
    columns: writable(raw.columns, presets, raw.set, table, scope),
    backendOnly: raw.backendOnly,
    variables: variablesOf([check], presets),
    position: raw.position,
  };
}

export function resolveUpdate(raw: RawUpdate, table: TableModel, scope: Scope): UpdateRule {
  const filter = resolveRule(raw.filter, table, scope);
  const check = raw.check && resolveRule(raw.check, table, scope);
  const presets = resolvePresets(raw.set, table, scope);
  return {
    filter,
    check,
    references: [],
    presets,
    columns: writable(raw.columns, presets, raw.set, table, scope),
    backendOnly: raw.backendOnly,
    variables: variablesOf([filter, check], presets),
    position: raw.position,
  };
}

export function resolveDelete(raw: RawDelete, table: TableModel, scope: Scope): DeleteRule {
  const filter = resolveRule(raw.filter, table, scope);
  return {
    filter,
    backendOnly: raw.backendOnly,
    variables: variablesOf([filter]),
    position: raw.position,
  };
}

/** Returns the named columns in the order of the table. `'*'` stands for all columns that the table has now. */
function resolveColumns(raw: RawColumns, table: TableModel, scope: Scope): readonly string[] {
  const all = [...table.columns.keys()];
  if (raw.kind === 'all') return all;
  for (const { name, position } of raw.names) {
    if (table.columns.has(name)) continue;
    const near = nearest(name, all);
    scope.report.error(
      'RG_UNKNOWN_COLUMN',
      position,
      `column "${name}" does not exist on ${table.schema}.${table.name}`,
      near && `did you mean "${near}"?`,
    );
  }
  const named = new Set(raw.names.map((one) => one.name));
  return all.filter((name) => named.has(name));
}

function writable(
  raw: RawColumns,
  presets: readonly Preset[],
  rawPresets: readonly RawPreset[],
  table: TableModel,
  scope: Scope,
): readonly string[] {
  const preset = new Set(presets.map((one) => one.column));
  if (raw.kind === 'all') {
    return [...table.columns.values()]
      .filter((column) => !column.generated && !preset.has(column.name))
      .map((column) => column.name);
  }
  for (const { name, position } of raw.names) {
    if (table.columns.get(name)?.generated) {
      scope.report.error(
        'RG_NOT_WRITABLE',
        position,
        `column "${name}" is generated and cannot be written`,
      );
    }
  }
  const columns = resolveColumns(raw, table, scope);
  for (const { name, position } of rawPresets) {
    if (!columns.includes(name)) continue;
    scope.report.error(
      'RG_BAD_PRESET',
      position,
      `column "${name}" is both in set and in columns`,
      'take it out of columns: what set fills, clients may not',
    );
  }
  return columns;
}

function resolvePresets(
  raws: readonly RawPreset[],
  table: TableModel,
  scope: Scope,
): readonly Preset[] {
  return raws.flatMap((raw) => {
    const column = table.columns.get(raw.name);
    if (!column) {
      reportPresetColumn(raw, table, scope);
      return [];
    }
    if (column.generated) {
      scope.report.error(
        'RG_BAD_PRESET',
        raw.position,
        `column "${raw.name}" is generated and cannot be set`,
      );
      return [];
    }
    if (raw.value.kind === 'scalar' && raw.value.value === null) {
      scope.report.error(
        'RG_BAD_PRESET',
        raw.value.position,
        `column "${raw.name}" cannot be set to null`,
        'leave it out of set and of columns: it then keeps its default',
      );
      return [];
    }
    const value = resolveOperand(raw.value, columnType(scope, table, raw.name), scope);
    return value ? [{ column: raw.name, value }] : [];
  });
}

// Reports presets of columns that Postgres checks before a trigger could set them: the column's domain refuses null. A
// view has no such problem, because its presets are column defaults.
function refuseDemanded(raws: readonly RawPreset[], table: TableModel, scope: Scope): void {
  const columns = scope.catalog.tables.get(table.key)?.columns ?? [];
  for (const { name, position } of table.view ? [] : raws) {
    if (!columns.some((column) => column.name === name && column.demanded)) continue;
    scope.report.error(
      'RG_BAD_PRESET',
      position,
      `column "${name}" is of a domain that takes no null, which Postgres asks for before it can be set`,
      'give the column a default, or let the column refuse nulls and not its domain',
    );
  }
}

function reportPresetColumn(raw: RawPreset, table: TableModel, scope: Scope): void {
  const near = nearest(raw.name, [...table.columns.keys()]);
  scope.report.error(
    'RG_UNKNOWN_COLUMN',
    raw.position,
    `column "${raw.name}" does not exist on ${table.schema}.${table.name}`,
    near && `did you mean "${near}"?`,
  );
}
