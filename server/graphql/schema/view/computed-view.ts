import {
  argumentNames,
  type ComputedField,
  computedColumn,
  computedView,
  fieldCall,
  joinColumn,
  type Model,
  type RoleModel,
  type TableKey,
  type TableModel,
  type TablePermissions,
} from '../../../../permissions/index.ts';
import type { Registry } from '../registry/read-registry.ts';
import { ownAggregates } from './column-view.ts';
import { comparisonsOf } from './comparison.ts';
import { scalarOf } from './scalar.ts';
import type {
  CalledTableView,
  CallView,
  ClientArgument,
  ComputedCall,
  ComputedRowsView,
  ComputedValueView,
  ComputedViews,
  TableView,
  ValueSource,
} from './table-view.ts';

interface Surroundings {
  readonly role: RoleModel;
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
  /** Of the model. */
  readonly models: Model['tables'];
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

/** Fields whose types PostGraphile cannot describe are left out. */
export function makeComputedViews(
  model: TableModel,
  { select, computedRows }: TablePermissions,
  surroundings: Surroundings,
): ComputedViews {
  const calls = (names: readonly string[]) =>
    names.flatMap((name) => callOf(model, model.computedFields.get(name), surroundings) ?? []);
  const values = calls(select?.computedFields ?? []).flatMap((call) =>
    oneValue(model, call, surroundings),
  );
  const rows = calls(computedRows).flatMap((call) => someRows(call, surroundings));
  return {
    computed: new Map(values.map((value) => [value.name, value])),
    computedRows: new Map(rows.map((one) => [one.name, one])),
  };
}

/** Whether a client need not give anything: only then can rows be filtered and ordered by the field. */
export function isPlainCall({ clientArguments }: CallView): boolean {
  return clientArguments.every(({ isRequired }) => !isRequired);
}

/** What clients may give to a function. */
export function clientArgumentsOf(
  { arguments: taken }: CallView['called'],
  { registry, taken: names }: Pick<Surroundings, 'registry' | 'taken'>,
): readonly ClientArgument[] {
  const given = taken.filter(({ kind }) => kind === 'client');
  const called = argumentNames(given);
  return given.map(({ name, type, hasDefault }, index) => ({
    name: called[index] ?? '',
    scalar: scalarOf(registry.type(type), names),
    isRequired: !hasDefault,
    isNamed: name !== undefined,
  }));
}

function callOf(
  model: TableModel,
  field: ComputedField | undefined,
  surroundings: Surroundings,
): ComputedCall | undefined {
  if (!field) return undefined;
  const clientArguments = clientArgumentsOf(field, surroundings);
  const own = fieldCall(surroundings.role, model, field, surroundings.models);
  return { field, called: field, clientArguments, own };
}

function oneValue(
  model: TableModel,
  call: ComputedCall,
  { role, registry, taken }: Surroundings,
): readonly ComputedValueView[] {
  const { name, description, result } = call.field;
  const type = result.kind === 'scalar' ? registry.type(result.type) : undefined;
  if (!type) return [];
  const scalar = scalarOf(type, taken);
  const comparisons = comparisonsOf(scalar, registry.operators);
  const source = sourceOf(role, model, call.field);
  // A view leaves every argument of clients to its default.
  const clientArguments = source.kind === 'call' ? call.clientArguments : [];
  const aggregates = ownAggregates(scalar, registry.operators);
  return [{ ...call, clientArguments, name, description, scalar, comparisons, aggregates, source }];
}

function sourceOf(role: RoleModel, model: TableModel, field: ComputedField): ValueSource {
  const column = computedColumn(role, model, field);
  if (column !== undefined) return { kind: 'cell', column };
  const view = computedView(role, model, field);
  return view ? { kind: 'by key', view, column: field.name } : { kind: 'call' };
}

function someRows(call: ComputedCall, { byKey }: Surroundings): readonly ComputedRowsView[] {
  const { name, result } = call.field;
  if (result.kind !== 'rows') return [];
  const { table: key } = result;
  const table = () => {
    const view = byKey.get(key);
    if (!view) throw new Error(`${name} returns rows of ${key}, which the role cannot select`);
    return asCalled(view);
  };
  return [{ ...call, name, table }];
}

export const none = { kind: 'none' } as const;

/**
 * A table whose rows a function gives, whoever's rights it acts with: what only some rows show of computed fields is
 * with the rows that the role reads of the table itself, and found there by the key.
 */
export function asCalled(table: TableView): CalledTableView {
  const { model, rows, computed, shown, joinCells } = table;
  const values = [...computed].map(([name, value]) => {
    const { source } = value;
    if (source.kind !== 'cell') return [name, { ...value, source }] as const;
    if (!rows) throw new Error(`${name} is a column of a view that there is none of`);
    if (model.primaryKey.length === 0) return [name, { ...value, source: none }] as const;
    const byKey = { kind: 'by key', view: rows, column: source.column } as const;
    return [name, { ...value, source: byKey }] as const;
  });
  const keys = [...joinCells.keys()].flatMap((name) => {
    const column = joinColumn(model, joinCells, name);
    const known = shown.get(name);
    return known ? [[column, { ...known, column }] as const] : [];
  });
  return { ...table, computed: new Map(values), readable: new Map([...shown, ...keys]) };
}
