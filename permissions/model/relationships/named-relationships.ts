import { tableKey } from '../../catalog/catalog.ts';
import type { CatalogForeignKey, CatalogTable } from '../../catalog/types.ts';
import type { RawRelationship } from '../../metadata/schemas/tables/relationships.ts';
import type { RawTableName } from '../../metadata/split-table-name.ts';
import type { TableKey } from '../../types/names.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';
import {
  alongOwnKey,
  alongRemoteKey,
  isUnique,
  makeRelationship,
  type Pair,
  pairsKey,
  type RelationshipScope,
  type UnnamedRelationship,
} from './make-relationship.ts';

/**
 * Resolves a relationship that a file defines. Undefined if no table or foreign key fits, or if the GraphQL name is not
 * valid, which is reported.
 */
export function makeNamed(
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
  const isByHand = raw.columns.every((pair) => pair.local && pair.remote);
  const unnamed = isByHand ? byHand(table, raw, scope) : byForeignKey(table, raw, scope);
  const isTracked = unnamed && scope.tracked.has(unnamed.table);
  const made = isTracked && makeRelationship(raw.name, table.key, unnamed, scope);
  if (made) return made;
  const target = raw.table ? ` to ${raw.table.name}` : '';
  scope.report.error(
    'RG_UNKNOWN_RELATIONSHIP',
    raw.position,
    `relationship "${raw.name}" of ${table.schema}.${table.name} leads nowhere: no tracked table${target} is reached along these columns`,
  );
  return undefined;
}

function byHand(
  table: TableModel,
  { kind, ...raw }: RawRelationship,
  scope: RelationshipScope,
): UnnamedRelationship | undefined {
  const target = keyOf(raw.table);
  if (target === undefined) return undefined;
  const pairs = raw.columns.map((pair) => ({
    local: pair.local?.name ?? '',
    remote: pair.remote?.name ?? '',
  }));
  const insertFirst =
    kind === 'array' ? 'local' : (raw.insertFirst ?? orderOf(table, target, pairs, scope));
  return { kind, table: target, pairs, insertFirst, isCertain: false };
}

/**
 * Returns which of two related rows a nested insert writes first. The referenced row comes before the row with the
 * foreign key. Without a foreign key, the related row comes before the outer row, as in Hasura.
 */
function orderOf(
  table: TableModel,
  target: TableKey,
  pairs: readonly Pair[],
  scope: RelationshipScope,
): UnnamedRelationship['insertFirst'] {
  const isSame = (one: UnnamedRelationship) => pairsKey(one.pairs) === pairsKey(pairs);
  const own = foreignKeys(table.key, target, scope);
  if (own.some(({ key, holder }) => isSame(alongOwnKey(key, holder)))) return 'remote';
  const other = foreignKeys(target, table.key, scope);
  return other.some(({ key }) => isSame(alongRemoteKey(target, key, 'object')))
    ? 'local'
    : 'remote';
}

/**
 * Finds the foreign key that a relationship follows, from the columns that the file names. The columns of an array
 * relationship belong to the other table. The columns of an object relationship belong to its own table. When an object
 * relationship also names the other table, the columns may belong to a foreign key of that table; such a key takes
 * precedence if it is unique.
 */
function byForeignKey(
  table: TableModel,
  raw: RawRelationship,
  scope: RelationshipScope,
): UnnamedRelationship | undefined {
  const names = raw.columns.map((pair) => (pair.local ?? pair.remote)?.name ?? '');
  const isNamed = ({ key: { columns } }: HeldKey) =>
    columns.length === names.length && names.every((name) => columns.includes(name));
  const target = keyOf(raw.table);
  const other =
    target === undefined ? undefined : foreignKeys(target, table.key, scope).find(isNamed);
  const backwards = target !== undefined && other && alongRemoteKey(target, other.key, raw.kind);
  if (raw.kind === 'array') return backwards || undefined;
  if (backwards && other && isUnique(other.holder, names)) return backwards;
  const own = foreignKeys(table.key, target, scope).find(isNamed);
  return own ? alongOwnKey(own.key, own.holder) : backwards || undefined;
}

/** A foreign key, and the table to which its columns belong. */
interface HeldKey {
  readonly key: CatalogForeignKey;
  readonly holder: CatalogTable;
}

function foreignKeys(
  from: TableKey,
  to: TableKey | undefined,
  { tracked }: RelationshipScope,
): readonly HeldKey[] {
  const holder = tracked.get(from)?.catalog;
  if (!holder) return [];
  return holder.foreignKeys
    .filter(({ table, period }) => !period && (to === undefined || table === to))
    .map((key) => ({ key, holder }));
}

function keyOf(table: RawTableName | undefined): TableKey | undefined {
  return table && tableKey(table.schema, table.table);
}
