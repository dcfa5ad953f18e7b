import type { CatalogForeignKey, CatalogTable } from '../../catalog/types.ts';
import type { RawRelationship } from '../../metadata/schemas/tables/relationships.ts';
import type { RawTable } from '../../metadata/schemas/tables/table.ts';
import type { RawName } from '../../metadata/yaml/node.ts';
import { graphqlName, plural } from '../../text/names.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { TableKey } from '../../types/names.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';
import {
  alongOwnKey,
  alongRemoteKey,
  type ForeignKeyScope,
  isUnique,
  makeRelationship,
  pairsKey,
  type RelationshipScope,
} from './make-relationship.ts';
import { makeNamed } from './named-relationships.ts';

/** Returns the relationships of one table: first the relationships of its file, then the defaults of foreign keys. */
export function makeRelationships(
  table: TableModel,
  raw: RawTable,
  scope: RelationshipScope,
): ReadonlyMap<string, Relationship> {
  const { relationships: raws, withoutRelationships: without } = raw;
  const found = new Map<string, Relationship>();
  for (const one of raws) {
    const made = makeNamed(table, one, scope);
    if (!made) continue;
    if (columnCalled(one.name, table)) reportColumnOfName(table, one, scope);
    found.set(one.name, made);
  }
  const named = new Set([...found.values()].map(pathKey));
  const excluded = new Set(without.map(({ name }) => name));
  const offered = scope.byDefault ? defaultRelationships(table.key, scope) : [];
  reportUnknownExclusions(table, without, offered, scope);
  for (const one of offered) {
    if (excluded.has(one.name) || named.has(pathKey(one))) continue;
    const other = found.get(one.name);
    if (columnCalled(one.name, table)) reportHidden(one, raw, scope);
    else if (other) reportShadowed(table, one, other, raws, scope);
    else found.set(one.name, one);
  }
  return found;
}

function columnCalled(name: string, { columns }: TableModel): boolean {
  return [...columns.values()].some(({ graphqlName }) => graphqlName === name);
}

function reportColumnOfName(
  table: TableModel,
  { name, position }: RawRelationship,
  { report }: RelationshipScope,
): void {
  report.error(
    'RG_NAME_CONFLICT',
    position,
    `"${name}" is a column of ${table.schema}.${table.name} already`,
    'give the relationship another name, or the column under graphql: { columns: … }',
  );
}

/**
 * Reports a default relationship that is omitted because the file gave its name to a column. When the column already
 * has that name in the database, the column takes precedence and nothing is reported.
 */
function reportHidden(
  { name }: Relationship,
  { graphql }: RawTable,
  { report }: RelationshipScope,
): void {
  const position = graphql.columns.find((one) => one.name?.name === name)?.name?.position;
  if (!position) return;
  report.error(
    'RG_NAME_CONFLICT',
    position,
    `a foreign key gives a relationship "${name}", which a column of that name would hide`,
    'give one of them another name, or list the relationship under without_relationships',
  );
}

/**
 * Reports a foreign key without a default relationship, because an earlier key gives a relationship of the same name.
 * Nothing is reported if the file itself defines a relationship of that name.
 */
function reportShadowed(
  table: TableModel,
  one: Relationship,
  other: Relationship,
  raws: readonly RawRelationship[],
  { report }: RelationshipScope,
): void {
  if (raws.some(({ name }) => name === one.name) || pathKey(one) === pathKey(other)) return;
  const columns = ({ columns }: Relationship) => columns.map(({ local }) => local).join(', ');
  report.warning(
    'RG_NAME_CONFLICT',
    table.position,
    `two foreign keys give ${table.schema}.${table.name} a relationship "${one.name}"; it goes along (${columns(other)}), and none along (${columns(one)})`,
    'name them under relationships',
  );
}

function reportUnknownExclusions(
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

/** Returns a text that is equal for relationships with the same table, kind and columns. */
export function pathKey({ kind, table, columns }: Relationship): string {
  return JSON.stringify([kind, table, pairsKey(columns)]);
}

/** Returns the relationships that foreign keys give a table. Several may have the same name. */
export function defaultRelationships(
  key: TableKey,
  scope: ForeignKeyScope,
): readonly Relationship[] {
  return [...objectDefaults(key, scope), ...arrayDefaults(key, scope)];
}

function objectDefaults(local: TableKey, scope: ForeignKeyScope): readonly Relationship[] {
  const own = scope.tracked.get(local)?.catalog;
  return (own?.foreignKeys ?? []).flatMap((key) => {
    const remote = scope.tracked.get(key.table);
    if (!own || !remote || key.period) return [];
    const name = objectName(key, remote.catalog);
    return makeRelationship(name, local, alongOwnKey(key, own), scope) ?? [];
  });
}

/**
 * Returns the default name of an object relationship. `owner_id` gives `owner`. For a column without _id, the other
 * table's name is appended. A key of several columns gives the other table's name alone.
 */
function objectName(key: CatalogForeignKey, remote: CatalogTable): string {
  const [column, ...more] = key.columns;
  if (column === undefined || more.length > 0) return graphqlName(remote.name);
  return graphqlName(/._id$/.test(column) ? column.slice(0, -3) : `${column}_${remote.name}`);
}

function arrayDefaults(local: TableKey, scope: ForeignKeyScope): readonly Relationship[] {
  const incoming = [...scope.tracked.values()].flatMap((from) =>
    from.catalog.foreignKeys
      .filter((key) => key.table === local && !key.period)
      .map((key) => ({ from, key })),
  );
  const counts = Map.groupBy(incoming, ({ from }) => from.key);
  return incoming.flatMap(({ from, key }) => {
    const single = isUnique(from.catalog, key.columns);
    const base = single ? from.catalog.name : plural(from.catalog.name);
    const several = (counts.get(from.key)?.length ?? 0) > 1;
    const name = graphqlName(several ? `${base}_by_${key.columns.join('_')}` : base);
    const unnamed = alongRemoteKey(from.key, key, single ? 'object' : 'array');
    return makeRelationship(name, local, unnamed, scope) ?? [];
  });
}
