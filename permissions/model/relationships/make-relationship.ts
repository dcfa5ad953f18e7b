import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogForeignKey, CatalogTable } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import type { TableKey } from '../../types/names.ts';
import type { Relationship, RelationshipColumn } from '../../types/tables.ts';
import type { TrackedTable } from '../tables/tables.ts';

/** Everything that resolves the relationships of all tables. */
export interface RelationshipScope {
  readonly tracked: ReadonlyMap<TableKey, TrackedTable>;
  readonly catalog: Catalog;
  readonly report: Report;
  /** False: only the relationships that files name. */
  readonly byDefault: boolean;
}

/** Columns that are to be equal. */
export interface Pair {
  readonly local: string;
  readonly remote: string;
}

/** A relationship before it has a name and its columns are known to be comparable. */
export interface UnnamedRelationship
  extends Pick<Relationship, 'kind' | 'table' | 'insertFirst' | 'isCertain'> {
  readonly pairs: readonly Pair[];
}

/** Along a foreign key of the table itself, `holder`. */
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

/** Along a foreign key of the other table, `holder`. */
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

/** Equal for the same pairs in whatever order. */
export function pairsKey(pairs: readonly Pair[]): string {
  return JSON.stringify(pairs.map(({ local, remote }) => [local, remote]).sort());
}

/** Whether no two rows have the same in these columns. */
export function isUnique(table: CatalogTable, columns: readonly string[]): boolean {
  return table.uniques.some((unique) => unique.every((column) => columns.includes(column)));
}

/** Undefined where a column is not there or two cannot be compared. */
export function makeRelationship(
  name: string,
  local: TableKey,
  { pairs, ...way }: UnnamedRelationship,
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
