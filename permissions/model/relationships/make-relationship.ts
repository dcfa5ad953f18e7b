import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogForeignKey, CatalogTable } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import type { TableKey } from '../../types/names.ts';
import type { Relationship, RelationshipColumn } from '../../types/tables.ts';
import type { TrackedTable } from '../tables/tables.ts';

/** The tables between which foreign keys make relationships. */
export interface ForeignKeyScope {
  readonly tracked: ReadonlyMap<TableKey, Pick<TrackedTable, 'key' | 'catalog'>>;
  readonly catalog: Catalog;
}

/** The inputs of resolving the relationships of all tables. */
export interface RelationshipScope extends ForeignKeyScope {
  readonly report: Report;
  /** Whether foreign keys give default relationships. Otherwise only the files name relationships. */
  readonly byDefault: boolean;
}

/** Two columns that must be equal. */
export interface Pair {
  readonly local: string;
  readonly remote: string;
}

/** A relationship before it has a name and its columns are known to be comparable. */
export interface UnnamedRelationship
  extends Pick<Relationship, 'kind' | 'table' | 'insertFirst' | 'isCertain'> {
  readonly pairs: readonly Pair[];
}

/** A relationship along a foreign key of the table itself. */
export function alongOwnKey(
  key: CatalogForeignKey,
  { columns }: CatalogTable,
): UnnamedRelationship {
  const pairs = key.columns.map((local, index) => ({
    local,
    remote: key.remoteColumns[index] ?? '',
  }));
  const isGiven = (name: string) => columns.some((one) => one.name === name && one.notNull);
  const isCertain = key.validated && key.columns.every(isGiven);
  return { kind: 'object', table: key.table, pairs, insertFirst: 'remote', isCertain };
}

/** A relationship along a foreign key of the other table, `holder`. */
export function alongRemoteKey(
  holder: TableKey,
  key: CatalogForeignKey,
  kind: Relationship['kind'],
): UnnamedRelationship {
  const pairs = key.columns.map((remote, index) => ({
    local: key.remoteColumns[index] ?? '',
    remote,
  }));
  return { kind, table: holder, pairs, insertFirst: 'local', isCertain: false };
}

/** Returns a text that is equal for the same pairs in any order. */
export function pairsKey(pairs: readonly Pair[]): string {
  return JSON.stringify(pairs.map(({ local, remote }) => [local, remote]).sort());
}

/** Returns whether a unique index guarantees that no two rows agree in these columns. */
export function isUnique(table: CatalogTable, columns: readonly string[]): boolean {
  return table.uniques.some((unique) => unique.every((column) => columns.includes(column)));
}

/** Returns undefined if a column does not exist or two columns cannot be compared. */
export function makeRelationship(
  name: string,
  local: TableKey,
  { pairs, ...unnamed }: UnnamedRelationship,
  scope: ForeignKeyScope,
): Relationship | undefined {
  const columns = pairs.map((pair) => equalColumns(local, unnamed.table, pair, scope));
  return columns.every((one) => one !== undefined) ? { name, ...unnamed, columns } : undefined;
}

function equalColumns(
  local: TableKey,
  remote: TableKey,
  pair: Pair,
  scope: ForeignKeyScope,
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
