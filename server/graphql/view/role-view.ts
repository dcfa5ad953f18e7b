import {
  grantedColumns,
  type Model,
  type RoleModel,
  rowsView,
  type SelectRule,
  type TableKey,
  type TableModel,
  type TablePermissions,
  takenGraphqlNames,
  type ViewName,
  type ViewWrite,
  writeViews,
} from '../../../permissions/index.ts';
import type { Registry } from '../registry/read-registry.ts';
import { type Comparison, comparisonsOf } from './comparison.ts';
import { type ComputedCall, type ComputedViews, makeComputedViews } from './computed-view.ts';
import { type FunctionRoots, hasRowFields, makeFunctionRoots } from './function-view.ts';
import { ownAggregates } from './own-aggregates.ts';
import {
  describeRelationship,
  makeRelationships,
  type RelationshipView,
} from './relationship-view.ts';
import { enumScalar, type Scalar, scalarOf } from './scalar.ts';
import {
  byName,
  describeWrites,
  type MutationField,
  makeTableWrites,
  mutationFields,
  type TableWrites,
} from './table-writes.ts';

/** Something of a row that has one value. */
export interface ValueView {
  /** Field name in GraphQL. */
  readonly name: string;
  readonly scalar: Scalar;
  readonly description: string | undefined;
  readonly comparisons: ReadonlyMap<string, Comparison>;
}

export interface ColumnView extends ValueView {
  /** Name in the table; differs where GraphQL cannot express that. */
  readonly column: string;
  readonly notNull: boolean;
  /** Schemas of `min` and `max` where the type brings its own. */
  readonly aggregates: ReadonlyMap<string, string>;
}

/** A table as one role may read and write it. */
export interface TableView extends TableWrites, ComputedViews {
  readonly model: TableModel;
  /** What it is read by instead of the table itself, whose names for columns it has. */
  readonly rows: ViewName | undefined;
  /** What it is written by instead of the table itself, likewise. */
  readonly writes: ReadonlyMap<ViewWrite, ViewName>;
  /** Of its type, and before those of its other types. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, ColumnView>;
  readonly relationships: ReadonlyMap<string, RelationshipView>;
  /** Empty where the role may not select every key column. */
  readonly primaryKey: readonly ColumnView[];
  /** Without a rule: one that shows nothing. */
  readonly select: SelectRule;
  /** Every column that SQL may read of the table itself, by its name there: of the rule, and hidden keys. */
  readonly readable: ReadonlyMap<string, ColumnView>;
  /** Every column that the rows have by which it is read, likewise: those that only some rows show, too. */
  readonly shown: ReadonlyMap<string, ColumnView>;
  readonly joinCells: TablePermissions['joinCells'];
}

/** A root field that reads a table. */
export interface RootTable {
  readonly table: TableView;
  readonly kind: 'list' | 'by_pk' | 'aggregate';
}

/** Everything that one role may read and write. */
export interface RoleView {
  readonly role: RoleModel;
  readonly isAdmin: boolean;
  /** By name in GraphQL; those that the role has any rule for. */
  readonly tables: ReadonlyMap<string, TableView>;
  /** The tables' fields of the query type, by name. */
  readonly roots: ReadonlyMap<string, RootTable>;
  /** The tables' fields of the mutation type, by name. */
  readonly mutations: ReadonlyMap<string, MutationField>;
  readonly functions: FunctionRoots;
  /** Equal for roles whose GraphQL schemas are equal. */
  readonly schemaKey: string;
}

/**
 * Joins a role's rules with what the registry knows of the columns. Rules that are `backend_only` count where
 * `asBackend`.
 */
export function makeRoleView(
  model: Model,
  role: RoleModel,
  registry: Registry,
  asBackend: boolean,
): RoleView {
  const taken = takenGraphqlNames(model.tables.values(), model.functions.values());
  const byKey = new Map<TableKey, TableView>();
  for (const [key, permissions] of role.tables) {
    const table = model.tables.get(key);
    const rules = asBackend ? permissions : withoutBackend(permissions);
    if (!table || !hasRule(rules)) continue;
    byKey.set(
      key,
      makeTableView(table, rules, { role, registry, taken, models: model.tables, byKey }),
    );
  }
  const tables = new Map([...byKey.values()].map((table) => [table.name, table]));
  const functions = makeFunctionRoots(model, role, { registry, taken, byKey });
  return {
    role,
    isAdmin: role.name === 'admin',
    tables,
    roots: new Map([...tables.values()].flatMap(rootsOf)),
    mutations: mutationFields(tables.values()),
    functions,
    schemaKey: schemaKeyOf(tables, functions),
  };
}

function hasRule({ select, insert, update, delete: remove }: TablePermissions): boolean {
  return [select, insert, update, remove].some((rule) => rule !== undefined);
}

function withoutBackend(permissions: TablePermissions): TablePermissions {
  const open = <R extends { readonly backendOnly: boolean }>(rule: R | undefined) =>
    rule?.backendOnly ? undefined : rule;
  const { insert, update, delete: remove } = permissions;
  return { ...permissions, insert: open(insert), update: open(update), delete: open(remove) };
}

function rootsOf(table: TableView): readonly (readonly [string, RootTable])[] {
  const { select, select_by_pk, select_aggregate } = table.model.rootFields;
  const roots: [string, RootTable][] = [];
  if (hasRowFields(table)) roots.push([select, { table, kind: 'list' }]);
  if (table.primaryKey.length > 0) roots.push([select_by_pk, { table, kind: 'by_pk' }]);
  if (table.select.allowAggregations) roots.push([select_aggregate, { table, kind: 'aggregate' }]);
  return roots;
}

interface Surroundings {
  readonly role: RoleModel;
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
  readonly models: Model['tables'];
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

function makeTableView(
  model: TableModel,
  permissions: TablePermissions,
  surroundings: Surroundings,
): TableView {
  const select = permissions.select ?? nothing(model);
  const columnsOf = (names: readonly string[]) =>
    names.flatMap((name) => {
      const column = makeColumnView(model, name, surroundings);
      if (!column) return [];
      return [select.cells.has(name) ? { ...column, notNull: false } : column];
    });
  const columns = byName(columnsOf(select.columns));
  const readable = columnsOf(grantedColumns(permissions));
  const shown = columnsOf([...select.columns, ...permissions.hiddenKeys]);
  const key = model.primaryKey.flatMap((name) =>
    [...columns.values()].filter(({ column }) => column === name),
  );
  return {
    model,
    rows: rowsView(surroundings.role, model),
    writes: writeViews(surroundings.role, model),
    name: model.graphqlName,
    columns,
    relationships: makeRelationships(model, permissions, surroundings),
    primaryKey: key.length === model.primaryKey.length ? key : [],
    select,
    readable: new Map(readable.map((column) => [column.column, column])),
    shown: new Map(shown.map((column) => [column.column, column])),
    joinCells: permissions.joinCells,
    ...makeComputedViews(model, permissions, surroundings),
    ...makeTableWrites(model, permissions, {
      role: surroundings.role,
      columnsOf,
      readable: new Set(readable.map(({ column }) => column)),
    }),
  };
}

function nothing({ position }: TableModel): SelectRule {
  return {
    filter: { kind: 'or', items: [] },
    columns: [],
    computedFields: [],
    cells: new Map(),
    computedCells: new Map(),
    allowAggregations: false,
    limit: undefined,
    variables: [],
    position,
  };
}

function makeColumnView(
  table: TableModel,
  name: string,
  { registry, taken }: Surroundings,
): ColumnView | undefined {
  const found = registry.column(table, name);
  const own = table.columns.get(name);
  if (!found || !own) return undefined;
  const { type, notNull } = found;
  const plain = scalarOf(type, taken);
  const values = registry.enums.get(own.enumTable ?? '');
  const scalar = values ? enumScalar(plain, values) : plain;
  return {
    name: own.graphqlName,
    column: name,
    scalar,
    notNull: notNull || own.notNull,
    description: own.description,
    comparisons: comparisonsOf(scalar, registry.operators),
    aggregates: ownAggregates(scalar, registry.operators),
  };
}

// Limits are not visible in a schema, filters only by what relationships are certain to find.
function schemaKeyOf(tables: ReadonlyMap<string, TableView>, functions: FunctionRoots): string {
  const described = [...tables.values()].map(
    ({ model, columns, select, relationships, ...rest }) => [
      [model.key, select.allowAggregations, [...columns.keys()], [...select.cells.keys()]],
      [...rest.computed.values(), ...rest.computedRows.values()].map(describeCall),
      [...relationships.values()].map(describeRelationship),
      describeWrites(rest),
    ],
  );
  const { queries, mutations } = functions;
  return JSON.stringify([described, [...queries.keys()], [...mutations.keys()]]);
}

function describeCall({ field, clientArguments }: ComputedCall) {
  return [field.name, clientArguments.length];
}
