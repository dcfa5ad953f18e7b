import type { ImportReport } from './import-report.ts';
import { type Cursor, field, items, required, text, UnreadableInput } from './input/cursor.ts';
import { readTableName, type TableName, tableKey, tableLabel } from './table-name.ts';
import type { TrackedRelationship } from './tracked.ts';
import { translateRelationship } from './translate-relationship.ts';

/** Facts about a table that are needed to translate rules of other tables. */
export interface TrackedTable extends TableName {
  readonly from: Cursor;
  readonly relationships: ReadonlyMap<string, TrackedRelationship>;
  /** Names of computed fields, whether they return a value or rows. */
  readonly computed: ReadonlySet<string>;
  /** Descriptions of fields that rules may name in Hasura but not in Rowgate, by field name. */
  readonly lost: ReadonlyMap<string, string>;
}

/** Returns the tables of one database by key, with their relationships. */
export function trackTables(
  tables: readonly Cursor[],
  report: ImportReport,
): ReadonlyMap<string, TrackedTable> {
  const named = new Map<string, { readonly name: TableName; readonly from: Cursor }>();
  for (const from of tables) {
    const name = readTableName(required(from, 'table'));
    const key = tableKey(name);
    if (named.has(key)) throw new UnreadableInput(from, `${tableLabel(name)} is tracked twice`);
    named.set(key, { name, from });
  }
  const tracked = new Map(
    [...named].map(([key, { name, from }]) => [key, trackTable(name, from, named, report)]),
  );
  return withTargets(tracked);
}

/**
 * Completes relationships that follow a foreign key of their own table, and so do not name their target table. When the
 * target table has a relationship along the same foreign key, that relationship names both tables.
 */
function withTargets(
  tracked: ReadonlyMap<string, TrackedTable>,
): ReadonlyMap<string, TrackedTable> {
  const label = (holder: string, key: readonly string[]) =>
    JSON.stringify([holder, key.toSorted()]);
  const owners = new Map<string, string>();
  for (const [owner, { relationships }] of tracked) {
    for (const { target, key } of relationships.values())
      if (target !== undefined && key) owners.set(label(target, key), owner);
  }
  const complete = (holder: string, one: TrackedRelationship) =>
    one.target === undefined && one.key
      ? { ...one, target: owners.get(label(holder, one.key)) }
      : one;
  return new Map(
    [...tracked].map(([holder, table]) => {
      const relationships = [...table.relationships].map(
        ([name, one]) => [name, complete(holder, one)] as const,
      );
      return [holder, { ...table, relationships: new Map(relationships) }];
    }),
  );
}

function trackTable(
  name: TableName,
  from: Cursor,
  known: ReadonlyMap<string, unknown>,
  report: ImportReport,
): TrackedTable {
  const lost = new Map<string, string>();
  const relationships = new Map<string, TrackedRelationship>();
  for (const kind of ['object', 'array'] as const) {
    for (const cursor of items(field(from, `${kind}_relationships`))) {
      const made = translateRelationship(cursor, kind, tableLabel(name), report);
      const problem = problemOf(made, known, relationships);
      if (problem === undefined) relationships.set(made.name, made);
      else {
        lost.set(made.name, `the relationship "${made.name}"`);
        const message = `${tableLabel(name)}: the relationship "${made.name}" ${problem}`;
        report.add('feature', cursor, message, 'track the table in Hasura, or do without');
      }
    }
  }
  for (const remote of namesIn(from, 'remote_relationships'))
    lost.set(remote, `the remote relationship "${remote}"`);
  const computed = new Set(namesIn(from, 'computed_fields'));
  return { ...name, from, relationships, computed, lost };
}

function problemOf(
  { name, target }: TrackedRelationship,
  known: ReadonlyMap<string, unknown>,
  others: ReadonlyMap<string, unknown>,
): string | undefined {
  if (others.has(name)) return 'is there twice';
  if (!/^[_A-Za-z][_0-9A-Za-z]*$/.test(name) || name.startsWith('__'))
    return 'has a name that GraphQL cannot express';
  return target !== undefined && !known.has(target)
    ? 'leads to a table that is not imported'
    : undefined;
}

function namesIn(table: Cursor, key: string): readonly string[] {
  return items(field(table, key)).map((item) => text(required(item, 'name')));
}
