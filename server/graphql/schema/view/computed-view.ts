import type { ComputedAccess, TableAccess, TableKey } from '../../../../permissions/index.ts';
import { argumentNames } from '../../../../permissions/role-view.ts';
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
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

/** Makes the views of computed fields, without fields whose types PostGraphile cannot describe. */
export function makeComputedViews(
  { computed }: TableAccess,
  surroundings: Surroundings,
): ComputedViews {
  const accesses = [...computed.values()];
  const values = accesses.flatMap((access) => oneValue(access, surroundings));
  const rows = accesses.flatMap((access) => someRows(access, surroundings));
  return {
    computed: new Map(values.map((value) => [value.name, value])),
    computedRows: new Map(rows.map((one) => [one.name, one])),
  };
}

/** Returns true if a call needs no argument from the client. Only then can clients filter and order by the field. */
export function isPlainCall({ clientArguments }: CallView): boolean {
  return clientArguments.every(({ isRequired }) => !isRequired);
}

/** The arguments that clients may pass to a function. */
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

function callOf(access: ComputedAccess, surroundings: Surroundings): ComputedCall {
  const { field } = access;
  const clientArguments = clientArgumentsOf(field, surroundings);
  const own = access.path === 'by key' ? access.call : undefined;
  return { field, called: field, clientArguments, own };
}

function oneValue(
  access: ComputedAccess,
  surroundings: Surroundings,
): readonly ComputedValueView[] {
  const { registry, taken } = surroundings;
  const { name, description, result } = access.field;
  const type = result.kind === 'scalar' ? registry.type(result.type) : undefined;
  if (!type) return [];
  const scalar = scalarOf(type, taken);
  const comparisons = comparisonsOf(scalar, registry.operators);
  const source = sourceOf(access);
  const call = callOf(access, surroundings);
  // A client can pass arguments only to a function call. A view computes the value with the default of every argument.
  const clientArguments = source.kind === 'call' ? call.clientArguments : [];
  const aggregates = ownAggregates(scalar, registry.operators);
  return [{ ...call, clientArguments, name, description, scalar, comparisons, aggregates, source }];
}

function sourceOf(access: ComputedAccess): ValueSource {
  if (access.path === 'column') return { kind: 'column', column: access.column };
  if (access.path !== 'view') return { kind: 'call' };
  return { kind: 'by key', view: access.view, column: access.field.name };
}

function someRows(access: ComputedAccess, surroundings: Surroundings): readonly ComputedRowsView[] {
  const { byKey } = surroundings;
  const { name, result } = access.field;
  if (result.kind !== 'rows') return [];
  const { table: key } = result;
  const table = () => {
    const view = byKey.get(key);
    if (!view) throw new Error(`${name} returns rows of ${key}, which the role cannot select`);
    return asCalled(view);
  };
  return [{ ...callOf(access, surroundings), name, table }];
}

export const none = { kind: 'none' } as const;

/**
 * Describes a table whose rows a function returns. These rows come from the table itself, without column masks. So
 * masked computed fields are looked up by primary key in the view that the role reads.
 */
export function asCalled(table: TableView): CalledTableView {
  const { model, rows, computed, shown, joinColumns } = table;
  const values = [...computed].map(([name, value]) => {
    const { source } = value;
    if (source.kind !== 'column') return [name, { ...value, source }] as const;
    if (!rows) throw new Error(`${name} is a column of a view that there is none of`);
    if (model.primaryKey.length === 0) return [name, { ...value, source: none }] as const;
    const byKey = { kind: 'by key', view: rows, column: source.column } as const;
    return [name, { ...value, source: byKey }] as const;
  });
  const keys = [...joinColumns].flatMap(([name, column]) => {
    const known = shown.get(name);
    return known ? [[column, { ...known, column }] as const] : [];
  });
  return { ...table, computed: new Map(values), readable: new Map([...shown, ...keys]) };
}
