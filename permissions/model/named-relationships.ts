import { tableKey } from '../catalog/catalog.ts';
import type { CatalogForeignKey } from '../catalog/types.ts';
import type { RawRelationship, RawTableName } from '../load/raw.ts';
import {
  alongOther,
  alongOwn,
  isUnique,
  makeRelationship,
  pairsKey,
  type RelationshipScope,
  type Way,
} from './relationship-way.ts';
import type { Relationship, TableKey, TableModel } from './types.ts';

/** A relationship that a file names; undefined, and reported, where it leads nowhere or has no name for GraphQL. */
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
  const way = isByHand ? byHand(table, raw, scope) : byForeignKey(table, raw, scope);
  const isTracked = way && scope.tracked.has(way.table);
  const made = isTracked && makeRelationship(raw.name, table.key, way, scope);
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
): Way | undefined {
  const target = keyOf(raw.table);
  if (target === undefined) return undefined;
  const pairs = raw.columns.map((pair) => ({
    local: pair.local?.name ?? '',
    remote: pair.remote?.name ?? '',
  }));
  const way = { kind, table: target, pairs };
  const insertFirst = raw.insertFirst ?? orderOf(table, way, scope);
  return { ...way, insertFirst: kind === 'array' ? 'local' : insertFirst };
}

/** The row goes last that a foreign key leads from; where there is none, the one around the other, as in Hasura. */
function orderOf(
  table: TableModel,
  { kind, table: target, pairs }: Omit<Way, 'insertFirst'>,
  scope: RelationshipScope,
): Way['insertFirst'] {
  const isSame = (way: Way) => pairsKey(way.pairs) === pairsKey(pairs);
  if (foreignKeys(table.key, target, scope).map(alongOwn).some(isSame)) return 'remote';
  const other = foreignKeys(target, table.key, scope);
  return other.some((key) => isSame(alongOther(target, key, kind))) ? 'local' : 'remote';
}

/**
 * An array relationship names columns of the other table's foreign key, an object relationship those of its own
 * table's; where it names the table too, also those of the other's: before its own, if that key is unique.
 */
function byForeignKey(
  table: TableModel,
  raw: RawRelationship,
  scope: RelationshipScope,
): Way | undefined {
  const names = raw.columns.map((pair) => (pair.local ?? pair.remote)?.name ?? '');
  const target = keyOf(raw.table);
  const isNamed = ({ columns }: CatalogForeignKey) =>
    columns.length === names.length && names.every((name) => columns.includes(name));
  const incoming = target === undefined ? [] : foreignKeys(target, table.key, scope);
  const other = incoming.find(isNamed);
  const backwards = target !== undefined && other && alongOther(target, other, raw.kind);
  if (raw.kind === 'array') return backwards || undefined;
  const holder = target === undefined ? undefined : scope.tracked.get(target)?.catalog;
  if (backwards && holder && isUnique(holder, names)) return backwards;
  const own = foreignKeys(table.key, target, scope).find(isNamed);
  return own ? alongOwn(own) : backwards || undefined;
}

function foreignKeys(
  from: TableKey,
  to: TableKey | undefined,
  { tracked }: RelationshipScope,
): readonly CatalogForeignKey[] {
  const keys = tracked.get(from)?.catalog.foreignKeys ?? [];
  return keys.filter(({ table }) => to === undefined || table === to);
}

function keyOf(table: RawTableName | undefined): TableKey | undefined {
  return table && tableKey(table.schema, table.table);
}
