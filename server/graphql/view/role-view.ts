import {
  type Model,
  type RoleModel,
  type SelectRule,
  type TableKey,
  type TableModel,
  type TablePermissions,
  takenGraphqlNames,
} from '../../../permissions/index.ts';
import type { Registry } from '../registry/read-registry.ts';
import { type Comparison, comparisonsOf } from './comparison.ts';
import { type ComputedViews, makeComputedViews } from './computed-view.ts';
import { isBuiltin, type Scalar, scalarOf } from './scalar.ts';
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

type ModelRelationship =
  TablePermissions['relationships'] extends ReadonlyMap<string, infer R> ? R : never;

export interface RelationshipView extends Omit<ModelRelationship, 'table'> {
  /** A function, since tables refer to each other in circles. */
  readonly table: () => TableView;
}

/** A table as one role may read and write it. */
export interface TableView extends TableWrites, ComputedViews {
  readonly model: TableModel;
  /** Of its type, and before those of its other types. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, ColumnView>;
  readonly relationships: ReadonlyMap<string, RelationshipView>;
  /** Empty where the role may not select every key column. */
  readonly primaryKey: readonly ColumnView[];
  /** Without a rule: one that shows nothing. */
  readonly select: SelectRule;
  /** Every column that SQL may read, by its name in the table: of the rule, and hidden keys. */
  readonly readable: ReadonlyMap<string, ColumnView>;
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
  const taken = takenGraphqlNames(model.tables.values());
  const byKey = new Map<TableKey, TableView>();
  for (const [key, permissions] of role.tables) {
    const table = model.tables.get(key);
    const rules = asBackend ? permissions : withoutBackend(permissions);
    if (!table || !hasRule(rules)) continue;
    byKey.set(key, makeTableView(table, rules, { role, registry, taken, byKey }));
  }
  const tables = new Map([...byKey.values()].map((table) => [table.name, table]));
  return {
    role,
    isAdmin: role.name === 'admin',
    tables,
    roots: new Map([...tables.values()].flatMap(rootsOf)),
    mutations: mutationFields(tables.values()),
    schemaKey: schemaKeyOf(tables),
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
  if (table.columns.size > 0) roots.push([select, { table, kind: 'list' }]);
  if (table.primaryKey.length > 0) roots.push([select_by_pk, { table, kind: 'by_pk' }]);
  if (table.select.allowAggregations) roots.push([select_aggregate, { table, kind: 'aggregate' }]);
  return roots;
}

interface Surroundings {
  readonly role: RoleModel;
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

function makeTableView(
  model: TableModel,
  permissions: TablePermissions,
  surroundings: Surroundings,
): TableView {
  const select = permissions.select ?? nothing(model);
  const columnsOf = (names: readonly string[]) =>
    names.flatMap((name) => makeColumnView(model, name, surroundings) ?? []);
  const columns = byName(columnsOf(select.columns));
  const readable = columnsOf([...select.columns, ...permissions.hiddenKeys]);
  const key = model.primaryKey.flatMap((name) =>
    [...columns.values()].filter(({ column }) => column === name),
  );
  return {
    model,
    name: model.graphqlName,
    columns,
    relationships: makeRelationships(permissions, surroundings.byKey),
    primaryKey: key.length === model.primaryKey.length ? key : [],
    select,
    readable: new Map(readable.map((column) => [column.column, column])),
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
  const scalar = scalarOf(type, taken);
  return {
    name: own.graphqlName,
    column: name,
    scalar,
    notNull: notNull || own.notNull,
    description: own.description,
    comparisons: comparisonsOf(scalar, registry.operators),
    aggregates: ownAggregates(scalar, registry),
  };
}

function ownAggregates({ type }: Scalar, { operators }: Registry): ReadonlyMap<string, string> {
  if (isBuiltin(type) || type.element) return new Map();
  const entries = ['min', 'max'].flatMap((name) => {
    const schema = operators.aggregate(type.schema, type.name, name);
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return new Map(entries);
}

function makeRelationships(
  permissions: TablePermissions,
  byKey: ReadonlyMap<TableKey, TableView>,
): ReadonlyMap<string, RelationshipView> {
  const entries = [...permissions.relationships.values()].map((relationship) => {
    const { name, table } = relationship;
    const remote = () => {
      const view = byKey.get(table);
      if (!view)
        throw new Error(`relationship ${name} leads to ${table}, which the role cannot select`);
      return view;
    };
    return [name, { ...relationship, table: remote }] as const;
  });
  return new Map(entries);
}

// Limits are not visible in a schema, filters only by what relationships are certain to find.
function schemaKeyOf(tables: ReadonlyMap<string, TableView>): string {
  const described = [...tables.values()].map(
    ({ model, columns, select, relationships, ...rest }) => [
      [model.key, select.allowAggregations, [...columns.keys()]],
      [[...rest.computed.keys()], [...rest.computedRows.keys()]],
      [...relationships.values()].map(describeRelationship),
      describeWrites(rest),
    ],
  );
  return JSON.stringify(described);
}

function describeRelationship({ name, kind, isCertain, table }: RelationshipView) {
  return [name, kind, isCertain, table().model.key];
}
