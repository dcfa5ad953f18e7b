import { tableKey } from '../catalog/catalog.ts';
import type { CatalogTable } from '../catalog/types.ts';
import type { Plain, PlainMap } from '../import/hasura/imported.ts';
import { tableNode } from '../import/hasura/table-name.ts';
import type { ForeignKeyScope } from '../model/relationships/make-relationship.ts';
import { defaultRelationships, pathKey } from '../model/relationships/relationships.ts';
import { unsafeCharacterIn } from '../text/characters.ts';
import type { Relationship } from '../types/tables.ts';
import { freeName } from './graphql-names.ts';

/**
 * Returns the relationships that foreign keys give a table, in the form of its metadata file. The names are the default
 * names. When a name is already that of another foreign key or of a column, the columns of the key are appended.
 */
export function proposeRelationships(
  table: CatalogTable,
  fields: ReadonlySet<string>,
  scope: ForeignKeyScope,
): PlainMap {
  const taken = new Set(fields);
  const paths = new Set<string>();
  const found = new Map<string, Plain>();
  for (const one of defaultRelationships(tableKey(table.schema, table.name), scope)) {
    if (paths.has(pathKey(one)) || !isWritable(one)) continue;
    const name = nameOf(one, taken);
    paths.add(pathKey(one));
    for (const field of fieldsOf(one, name)) taken.add(field);
    found.set(name, written(one, table, scope));
  }
  return found;
}

/** Metadata files refuse names with control characters. */
function isWritable({ columns }: Relationship): boolean {
  return columns.every(
    ({ local, remote }) => !unsafeCharacterIn(local) && !unsafeCharacterIn(remote),
  );
}

function nameOf(one: Relationship, taken: ReadonlySet<string>): string {
  const isTaken = (name: string) => fieldsOf(one, name).some((field) => taken.has(field));
  if (!isTaken(one.name)) return one.name;
  const suffix = keyColumns(one)
    .join('_')
    .replace(/[^_0-9A-Za-z]/g, '_');
  return freeName(`${one.name}_by_${suffix}`, isTaken);
}

/** An array relationship has a second field, for aggregates. */
function fieldsOf({ kind }: Relationship, name: string): readonly string[] {
  return kind === 'array' ? [name, `${name}_aggregate`] : [name];
}

/** Returns the columns of the foreign key, which may be in either table. */
function keyColumns({ insertFirst, columns }: Relationship): readonly string[] {
  return columns.map(({ local, remote }) => (insertFirst === 'remote' ? local : remote));
}

function written(one: Relationship, table: CatalogTable, scope: ForeignKeyScope): PlainMap {
  const target = scope.tracked.get(one.table)?.catalog;
  const holder = one.insertFirst === 'remote' ? table : target;
  const columns = keyColumns(one);
  const alike = holder?.foreignKeys.filter(
    (key) =>
      key.columns.length === columns.length && key.columns.every((name) => columns.includes(name)),
  );
  const node: Plain = target ? tableNode(target) : null;
  if (alike?.length !== 1) return byHand(one, node);
  const key: readonly [string, Plain] =
    columns.length === 1 ? ['column', columns[0] ?? ''] : ['columns', columns];
  if (one.insertFirst === 'remote') return new Map([key]);
  return new Map([
    ['table', node],
    key,
    ...(one.kind === 'object' ? [['kind', 'object'] as const] : []),
  ]);
}

/**
 * Describes a relationship by its pairs of columns. Only the pairs distinguish several foreign keys with the same
 * columns.
 */
function byHand({ columns, kind }: Relationship, target: Plain): PlainMap {
  return new Map<string, Plain>([
    ['table', target],
    ['columns', new Map(columns.map(({ local, remote }) => [local, remote]))],
    ['kind', kind],
  ]);
}
