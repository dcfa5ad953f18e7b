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
  /** Whether each foreign key gives a relationship by default. False: only the files define relationships. */
  readonly byDefault: boolean;
}

/** Two columns that must be equal in related rows. */
export interface Pair {
  readonly local: string;
  readonly remote: string;
}

/** A relationship that has no name yet. Its columns may turn out not to be comparable. */
export interface UnnamedRelationship
  extends Pick<Relationship, 'kind' | 'table' | 'insertFirst' | 'isCertain'> {
  readonly pairs: readonly Pair[];
}

/** Returns the relationship along a foreign key of the table itself, which leads to one row. */
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

/** Returns the relationship along a foreign key of another table, `holder`, which refers to this table. */
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

/** Returns a text for comparing sets of column pairs. Sets with the same pairs in any order have the same text. */
export function pairsKey(pairs: readonly Pair[]): string {
  return JSON.stringify(pairs.map(({ local, remote }) => [local, remote]).sort());
}

/** Returns whether a unique index guarantees that no two rows have the same values in these columns. */
export function isUnique(table: CatalogTable, columns: readonly string[]): boolean {
  return table.uniques.some((unique) => unique.every((column) => columns.includes(column)));
}

/**
 * Completes a relationship with the operators that compare its columns. Undefined if a column does not exist or two
 * columns cannot be compared.
 */
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
