import type { Catalog } from '../catalog/catalog.ts';
import { tableKey } from '../catalog/catalog.ts';
import type { CatalogForeignKey, CatalogTable } from '../catalog/types.ts';
import type { Report } from '../diagnostics.ts';
import { didYouMean } from '../load/nearest.ts';
import type { RawName, RawRelationship, RawTable } from '../load/raw.ts';
import { graphqlName, plural } from './names.ts';
import type { TrackedTable } from './tables.ts';
import type { Relationship, RelationshipColumn, TableKey, TableModel } from './types.ts';

type Pair = { readonly local: string; readonly remote: string };

/** What relationships of all tables are made from. */
export interface RelationshipScope {
  readonly tracked: ReadonlyMap<TableKey, TrackedTable>;
  readonly catalog: Catalog;
  readonly report: Report;
  /** False: only the relationships that files name. */
  readonly byDefault: boolean;
}

/** The relationships of one table: those its file names, then what foreign keys give by default. */
export function makeRelationships(
  table: TableModel,
  { relationships: raws, withoutRelationships: without }: RawTable,
  scope: RelationshipScope,
): ReadonlyMap<string, Relationship> {
  const found = new Map<string, Relationship>();
  const columnNames = new Set([...table.columns.values()].map((column) => column.graphqlName));
  for (const raw of raws) {
    const made = makeNamed(table, raw, scope);
    if (!made) continue;
    if (columnNames.has(raw.name)) {
      scope.report.error(
        'RG_NAME_CONFLICT',
        raw.position,
        `"${raw.name}" is a column of ${table.schema}.${table.name} already`,
      );
    }
    found.set(raw.name, made);
  }
  const named = new Set([...found.values()].map(wayOf));
  const unwanted = new Set(without.map(({ name }) => name));
  const offered = scope.byDefault ? defaults(table, scope) : [];
  reportUnwanted(table, without, offered, scope);
  for (const one of offered) {
    if (unwanted.has(one.name)) continue;
    if (named.has(wayOf(one)) || columnNames.has(one.name)) continue;
    const other = found.get(one.name);
    if (other) reportShadowed(table, one, other, raws, scope);
    else found.set(one.name, one);
  }
  return found;
}

/** Two keys that give one name: the second has none, unless the file gave the name away itself. */
function reportShadowed(
  table: TableModel,
  one: Relationship,
  other: Relationship,
  raws: readonly RawRelationship[],
  { report }: RelationshipScope,
): void {
  if (raws.some(({ name }) => name === one.name) || wayOf(one) === wayOf(other)) return;
  const columns = ({ columns }: Relationship) => columns.map(({ local }) => local).join(', ');
  report.warning(
    'RG_NAME_CONFLICT',
    table.position,
    `two foreign keys give ${table.schema}.${table.name} a relationship "${one.name}"; it goes along (${columns(other)}), and none along (${columns(one)})`,
    'name them under relationships',
  );
}

function reportUnwanted(
  table: TableModel,
  without: readonly RawName[],
  offered: readonly Relationship[],
  { report }: RelationshipScope,
): void {
  const names = offered.map(({ name }) => name);
  for (const { name, position } of without) {
    if (names.includes(name)) continue;
    report.error(
      'RG_UNKNOWN_RELATIONSHIP',
      position,
      `no foreign key gives ${table.schema}.${table.name} a relationship "${name}"`,
      didYouMean(name, names),
    );
  }
}

/** Two relationships with the same way are one under two names. */
function wayOf(relationship: Relationship): string {
  const pairs = relationship.columns.map(({ local, remote }) => [local, remote]).sort();
  return JSON.stringify([relationship.kind, relationship.table, pairs]);
}

function defaults(table: TableModel, scope: RelationshipScope): readonly Relationship[] {
  return [...objectDefaults(table, scope), ...arrayDefaults(table, scope)];
}

function objectDefaults(table: TableModel, scope: RelationshipScope): readonly Relationship[] {
  const own = scope.tracked.get(table.key)?.catalog.foreignKeys ?? [];
  return own.flatMap((key) => {
    const remote = scope.tracked.get(key.table);
    if (!remote) return [];
    const way = {
      kind: 'object',
      table: key.table,
      pairs: pairsOf(key),
      insertFirst: 'remote',
    } as const;
    return make(objectName(key, remote.catalog), table.key, way, scope) ?? [];
  });
}

/** `owner_id` → `owner`; a column without _id, or several columns, also carry the table's name. */
function objectName(key: CatalogForeignKey, remote: CatalogTable): string {
  const [column, ...more] = key.columns;
  if (column === undefined || more.length > 0) return graphqlName(remote.name);
  return graphqlName(/._id$/.test(column) ? column.slice(0, -3) : `${column}_${remote.name}`);
}

function arrayDefaults(table: TableModel, scope: RelationshipScope): readonly Relationship[] {
  const incoming = [...scope.tracked.values()].flatMap((from) =>
    from.catalog.foreignKeys.filter((key) => key.table === table.key).map((key) => ({ from, key })),
  );
  const counts = Map.groupBy(incoming, ({ from }) => from.key);
  return incoming.flatMap(({ from, key }) => {
    const single = isUnique(from.catalog, key.columns);
    const base = single ? from.catalog.name : plural(from.catalog.name);
    const several = (counts.get(from.key)?.length ?? 0) > 1;
    const name = graphqlName(several ? `${base}_by_${key.columns.join('_')}` : base);
    return (
      make(name, table.key, backwards(from.key, key, single ? 'object' : 'array'), scope) ?? []
    );
  });
}

function pairsOf(key: CatalogForeignKey): readonly Pair[] {
  return key.columns.map((local, index) => ({ local, remote: key.remoteColumns[index] ?? '' }));
}

/** Along a foreign key of the other table. */
function backwards(holder: TableKey, key: CatalogForeignKey, kind: Relationship['kind']): Way {
  const pairs = pairsOf(key).map(({ local, remote }) => ({ local: remote, remote: local }));
  return { kind, table: holder, pairs, insertFirst: 'local' };
}

function isUnique(table: CatalogTable, columns: readonly string[]): boolean {
  return table.uniques.some((unique) => unique.every((column) => columns.includes(column)));
}

/** A relationship before its columns are known to be comparable. */
interface Way extends Pick<Relationship, 'kind' | 'table' | 'insertFirst'> {
  readonly pairs: readonly Pair[];
}

function make(
  name: string,
  local: TableKey,
  { pairs, ...way }: Way,
  scope: RelationshipScope,
): Relationship | undefined {
  const columns = pairs.map((pair) => equalColumns(local, way.table, pair, scope));
  return columns.every((one) => one !== undefined) ? { name, ...way, columns } : undefined;
}

function equalColumns(
  local: TableKey,
  remote: TableKey,
  pair: Pair,
  scope: RelationshipScope,
): RelationshipColumn | undefined {
  const typeOf = (key: TableKey, column: string) => {
    const found = scope.tracked.get(key)?.catalog.columns.find((one) => one.name === column);
    return found && scope.catalog.type(found.type);
  };
  const left = typeOf(local, pair.local);
  const right = typeOf(remote, pair.remote);
  const found = left && right && scope.catalog.operator('=', left, right);
  return found && { ...pair, equals: found.operator };
}

function makeNamed(
  table: TableModel,
  raw: RawRelationship,
  scope: RelationshipScope,
): Relationship | undefined {
  if (!/^[_A-Za-z][_0-9A-Za-z]*$/.test(raw.name) || raw.name.startsWith('__')) {
    scope.report.error(
      'RG_GRAPHQL_NAME',
      raw.position,
      `"${raw.name}" is no name in GraphQL`,
      'use letters, digits and underscores',
    );
    return undefined;
  }
  const way = raw.columns.every((pair) => pair.local && pair.remote)
    ? byHand(raw)
    : byForeignKey(table, raw, scope);
  const made = way && scope.tracked.has(way.table) && make(raw.name, table.key, way, scope);
  if (!made) {
    const target = raw.table ? ` to ${raw.table.name}` : '';
    scope.report.error(
      'RG_UNKNOWN_RELATIONSHIP',
      raw.position,
      `relationship "${raw.name}" of ${table.schema}.${table.name} leads nowhere: no tracked table${target} is reached along these columns`,
    );
  }
  return made || undefined;
}

function byHand(raw: RawRelationship): Way | undefined {
  const { table, kind } = raw;
  return (
    table && {
      kind,
      table: tableKey(table.schema, table.table),
      pairs: raw.columns.map((pair) => ({
        local: pair.local?.name ?? '',
        remote: pair.remote?.name ?? '',
      })),
      insertFirst: kind === 'object' ? 'remote' : 'local',
    }
  );
}

/** An object relationship names its own foreign key's columns, an array relationship the other table's. */
function byForeignKey(
  table: TableModel,
  raw: RawRelationship,
  scope: RelationshipScope,
): Way | undefined {
  const names = raw.columns.map((pair) => (pair.local ?? pair.remote)?.name ?? '');
  const targetKey = raw.table && tableKey(raw.table.schema, raw.table.table);
  const outgoing = raw.kind === 'object';
  const holder = outgoing ? table.key : targetKey;
  const keys = (holder && scope.tracked.get(holder)?.catalog.foreignKeys) || [];
  const key = keys.find(
    (one) =>
      one.columns.length === names.length &&
      names.every((name) => one.columns.includes(name)) &&
      (outgoing ? targetKey === undefined || one.table === targetKey : one.table === table.key),
  );
  if (!key || holder === undefined) return undefined;
  if (!outgoing) return backwards(holder, key, raw.kind);
  return { kind: raw.kind, table: key.table, pairs: pairsOf(key), insertFirst: 'remote' };
}
