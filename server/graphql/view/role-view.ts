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
import { isBuiltin, type Scalar, scalarOf } from './scalar.ts';

export interface ColumnView {
  /** Field name in GraphQL. */
  readonly name: string;
  /** Name in the table; differs where GraphQL cannot express that. */
  readonly column: string;
  readonly scalar: Scalar;
  readonly notNull: boolean;
  readonly description: string | undefined;
  readonly comparisons: ReadonlyMap<string, Comparison>;
  /** Schemas of `min` and `max` where the type brings its own. */
  readonly aggregates: ReadonlyMap<string, string>;
}

type ModelRelationship =
  TablePermissions['relationships'] extends ReadonlyMap<string, infer R> ? R : never;

export interface RelationshipView {
  readonly name: string;
  readonly kind: 'object' | 'array';
  readonly columns: ModelRelationship['columns'];
  /** A function, since tables refer to each other in circles. */
  readonly table: () => TableView;
}

/** A table as one role may read it. */
export interface TableView {
  readonly model: TableModel;
  /** Root field and type. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, ColumnView>;
  readonly relationships: ReadonlyMap<string, RelationshipView>;
  /** Empty where the role may not select every key column. */
  readonly primaryKey: readonly ColumnView[];
  readonly select: SelectRule;
}

/** Everything that one role may read. */
export interface RoleView {
  readonly role: RoleModel;
  readonly isAdmin: boolean;
  /** By name in GraphQL. */
  readonly tables: ReadonlyMap<string, TableView>;
  /** Equal for roles whose GraphQL schemas are equal. */
  readonly schemaKey: string;
}

/** Joins a role's rules with what the registry knows of the columns. */
export function makeRoleView(model: Model, role: RoleModel, registry: Registry): RoleView {
  const taken = takenGraphqlNames(model.tables.values());
  const byKey = new Map<TableKey, TableView>();
  for (const [key, permissions] of role.tables) {
    const table = model.tables.get(key);
    if (!table || !permissions.select) continue;
    byKey.set(
      key,
      makeTableView(table, permissions, permissions.select, { registry, taken, byKey }),
    );
  }
  const tables = new Map([...byKey.values()].map((table) => [table.name, table]));
  return { role, isAdmin: role.name === 'admin', tables, schemaKey: schemaKeyOf(role) };
}

interface Surroundings {
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

function makeTableView(
  model: TableModel,
  permissions: TablePermissions,
  select: SelectRule,
  surroundings: Surroundings,
): TableView {
  const columns = new Map(
    select.columns.flatMap((name) => {
      const column = makeColumnView(model, name, surroundings);
      return column ? [[column.name, column] as const] : [];
    }),
  );
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
  const { type, notNull, description } = found;
  const scalar = scalarOf(type, taken);
  return {
    name: own.graphqlName,
    column: name,
    scalar,
    notNull: notNull || own.notNull,
    description,
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
  const entries = [...permissions.relationships.values()].map(({ name, kind, columns, table }) => {
    const remote = () => {
      const view = byKey.get(table);
      if (!view)
        throw new Error(`relationship ${name} leads to ${table}, which the role cannot select`);
      return view;
    };
    return [name, { name, kind, columns, table: remote }] as const;
  });
  return new Map(entries);
}

// Limits and filters are not visible in a schema.
function schemaKeyOf(role: RoleModel): string {
  const tables = [...role.tables].map(([key, { select, relationships }]) => [
    key,
    select && [select.columns, select.allowAggregations],
    [...relationships.values()].map(({ name, kind, table }) => [name, kind, table]),
  ]);
  return JSON.stringify(tables);
}
