import type { PgCodec, PgCodecRelation, PgRegistry, PgResource } from 'postgraphile/@dataplan/pg';
import type { RoleView } from '../../graphql/schema/view/role-view.ts';
import type { TableView } from '../../graphql/schema/view/table-view.ts';
import type { RegistryConfig } from './gather.ts';

/** The use of a database function in PostGraphile's schema for a role. */
export interface FunctionUse {
  readonly as: 'queryField' | 'mutationField' | 'typeField';
  /** The table whose rows the function returns; undefined when it returns no rows of a table. */
  readonly table: TableView | undefined;
  /** Whether the role may aggregate the values that the function returns. */
  readonly isCounted: boolean;
}

/** The column that an attribute of a type represents. */
export interface ColumnPlace {
  readonly table: TableView;
  readonly column: string;
  /** Whether the column is in another table, as in a type of a relational interface. */
  readonly isRemote: boolean;
}

/** Maps objects of PostGraphile's registry to the rules of one role. */
export class RoleObjects {
  readonly #tables: ReadonlyMap<string, TableView>;
  readonly #functions: ReadonlyMap<string, FunctionUse>;

  /** The shared table of each type of a relational interface, by the type's name. */
  readonly #shared: ReadonlyMap<string, PgCodec>;

  constructor(view: RoleView, registry: RegistryConfig) {
    this.#shared = sharedTables(registry);
    this.#tables = new Map([...view.tables.values()].map((table) => [table.model.key, table]));
    this.#functions = new Map([...computedUses(view), ...rootUses(view)]);
  }

  /**
   * Returns the table of a type; undefined when the role has no rule for the table. A type of a relational interface
   * also needs a rule for the interface's table.
   */
  tableOf(codec: PgCodec): TableView | undefined {
    const shared = this.#shared.get(codec.name);
    if (shared && !this.#ruledTable(shared)?.columns.size) return undefined;
    return this.#ruledTable(codec);
  }

  #ruledTable({ extensions }: PgCodec): TableView | undefined {
    const origin = extensions?.pg;
    return origin && this.#tables.get(`${origin.schemaName}.${origin.name}`);
  }

  /** Returns the column of an attribute; undefined without a rule for its table, or when the relation is closed. */
  placeOf(codec: PgCodec, name: string, { pgRelations }: PgRegistry): ColumnPlace | undefined {
    const table = this.tableOf(codec);
    const via = codec.attributes?.[name]?.via;
    if (!table || !via) return table && { table, column: name, isRemote: false };
    const key = typeof via === 'string' ? via : via.relation;
    const relation: PgCodecRelation | undefined = pgRelations[codec.name]?.[key];
    const remote = relation && this.tableOf(relation.remoteResource.codec);
    if (!remote || !this.isFollowed(table, remote, relation)) return undefined;
    const column = typeof via === 'string' ? name : via.attribute;
    return { table: remote, column, isRemote: true };
  }

  /**
   * Returns how a role uses a function; undefined when the role may not call the function or PostGraphile cannot call
   * it.
   */
  useOf(resource: PgResource): FunctionUse | undefined {
    const origin = resource.extensions?.pg;
    if (!origin || !resource.parameters) return undefined;
    const name = `${origin.schemaName}.${origin.name}`;
    const row = resource.parameters[0]?.codec;
    const table = row?.attributes && this.tableOf(row);
    const computed = table && this.#functions.get(computedKey(table, name));
    // A function with a row as its first argument may still be a root field.
    return computed ?? this.#functions.get(name);
  }

  /**
   * Whether the role may follow a foreign key. The role must read the columns at both ends, or the metadata must have a
   * relationship for them, which makes hidden keys readable for joins.
   */
  isFollowed(from: TableView, to: TableView, relation: PgCodecRelation): boolean {
    if (from.columns.size === 0 || to.columns.size === 0) return false;
    return isShown(from, to, pairsOf(relation)) || isNamed(from, to, pairsOf(relation));
  }

  /**
   * Whether the role may see the columns of a foreign key. If not, the role must not get node ids either, because they
   * contain the values.
   */
  isShown(from: TableView, to: TableView, relation: PgCodecRelation): boolean {
    return isShown(from, to, pairsOf(relation));
  }
}

function sharedTables({ pgCodecs, pgRelations }: RegistryConfig): ReadonlyMap<string, PgCodec> {
  const shared = new Map<string, PgCodec>();
  for (const codec of Object.values<PgCodec>(pgCodecs)) {
    if (codec.polymorphism?.mode !== 'relational') continue;
    for (const { relationName } of Object.values(codec.polymorphism.types)) {
      const relation = pgRelations[codec.name]?.[relationName];
      if (relation) shared.set(relation.remoteResourceOptions.codec.name, codec);
    }
  }
  return shared;
}

type Pairs = readonly (readonly [string, string])[];

function pairsOf({ localAttributes, remoteAttributes }: PgCodecRelation): Pairs {
  return localAttributes.map((local, index) => [local, remoteAttributes[index] ?? ''] as const);
}

function isShown(from: TableView, to: TableView, pairs: Pairs): boolean {
  return pairs.every(
    ([local, remote]) => from.select.columns.includes(local) && to.select.columns.includes(remote),
  );
}

function isNamed(from: TableView, to: TableView, pairs: Pairs): boolean {
  return [...from.relationships.values()].some(({ table, columns }) => {
    const known = columns.map(({ local, remote }) => JSON.stringify([local, remote]));
    // Only relationships over the columns themselves count. The view of a masked table may also have a join column,
    // which contains the key even in rows where the mask hides the key.
    const isDirect = columns.every(
      (one) => one.localColumn === one.local && one.remoteColumn === one.remote,
    );
    return (
      isDirect &&
      table() === to &&
      known.length === pairs.length &&
      pairs.every((pair) => known.includes(JSON.stringify(pair)))
    );
  });
}

function* rootUses({ functions }: RoleView): Generator<readonly [string, FunctionUse]> {
  for (const [as, roots] of [
    ['queryField', functions.queries],
    ['mutationField', functions.mutations],
  ] as const) {
    for (const { call, table } of roots.values()) {
      if (call.own || table.rows || takesSession(call.called.arguments)) continue;
      yield [call.model.key, { as, table, isCounted: true }];
    }
  }
}

function* computedUses({ tables }: RoleView): Generator<readonly [string, FunctionUse]> {
  for (const table of tables.values()) {
    // A computed field is omitted when the role reads the table through a view: its function takes a row of the table,
    // and rows of a view have another type.
    if (table.rows) continue;
    const isCounted = table.select.allowAggregations;
    for (const { called, own, source } of table.computed.values()) {
      if (own || source.kind !== 'call' || takesSession(called.arguments)) continue;
      const use = { as: 'typeField', table: undefined, isCounted } as const;
      yield [computedKey(table, nameOf(called)), use];
    }
    for (const { called, own, table: rows } of table.computedRows.values()) {
      if (own || rows().rows || takesSession(called.arguments)) continue;
      const use = { as: 'typeField', table: rows(), isCounted } as const;
      yield [computedKey(table, nameOf(called)), use];
    }
  }
}

// A function with a session argument is not offered: PostGraphile would show the argument to clients, who could then
// pass any session variables.
function takesSession(taken: readonly { readonly kind: string }[]): boolean {
  return taken.some(({ kind }) => kind === 'session');
}

function computedKey({ model }: TableView, name: string): string {
  return JSON.stringify([model.key, name]);
}

function nameOf(called: { readonly function: { readonly schema: string; readonly name: string } }) {
  return `${called.function.schema}.${called.function.name}`;
}
