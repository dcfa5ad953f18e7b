import type { ImportReport } from './import-report.ts';
import type { Plain, PlainMap } from './imported.ts';
import {
  type Cursor,
  field,
  items,
  members,
  required,
  text,
  UnreadableInput,
} from './input/cursor.ts';
import { readTableName, tableKey, tableNode } from './table-name.ts';
import type { TrackedRelationship } from './tracked.ts';

type Kind = 'object' | 'array';

/** Translates one entry of `object_relationships` or `array_relationships` of the table with the name `label`. */
export function translateRelationship(
  cursor: Cursor,
  kind: Kind,
  label: string,
  report: ImportReport,
): TrackedRelationship {
  const name = text(required(cursor, 'name'));
  const where = `${label}, relationship "${name}"`;
  report.unknownKeys(members(cursor), ['name', 'using'], where);
  const using = required(cursor, 'using');
  const foreignKey = field(using, 'foreign_key_constraint_on');
  const manual = field(using, 'manual_configuration');
  if (foreignKey) return { name, from: cursor, ...byForeignKey(foreignKey, kind) };
  if (!manual)
    throw new UnreadableInput(
      using,
      'a relationship needs a foreign key or a manual configuration',
    );
  const known = ['remote_table', 'column_mapping', 'insertion_order'];
  report.unknownKeys(members(manual), known, where);
  return { name, from: cursor, ...byHand(manual, kind) };
}

interface Way {
  readonly body: PlainMap;
  readonly target: string | undefined;
  /** The columns of the foreign key that the relationship follows. */
  readonly key?: readonly string[];
}

/**
 * Reads the foreign key that a relationship follows. A column or a list of columns belongs to the table itself; `{
 * table, column }` or `{ table, columns }` belongs to the other table.
 */
function byForeignKey(cursor: Cursor, kind: Kind): Way {
  if (cursor.node.kind !== 'map') {
    const key = columnsOf(cursor);
    return { body: new Map([columnEntry(key)]), target: undefined, key };
  }
  const table = readTableName(required(cursor, 'table'));
  const key = columnsOf(field(cursor, 'columns') ?? required(cursor, 'column'));
  const body = new Map<string, Plain>([['table', tableNode(table)], columnEntry(key)]);
  if (kind === 'object') body.set('kind', kind);
  return { body, target: tableKey(table), key };
}

function columnsOf(cursor: Cursor): readonly string[] {
  return cursor.node.kind === 'list' ? items(cursor).map(text) : [text(cursor)];
}

function columnEntry(names: readonly string[]): readonly [string, Plain] {
  const [first = '', ...more] = names;
  return more.length === 0 ? ['column', first] : ['columns', names];
}

function byHand(cursor: Cursor, kind: Kind): Way {
  const table = readTableName(required(cursor, 'remote_table'));
  const mapping = members(required(cursor, 'column_mapping'));
  const body = new Map<string, Plain>([
    ['table', tableNode(table)],
    ['columns', new Map(mapping.map(({ key, value }) => [key, text(value)]))],
    ['kind', kind],
  ]);
  const order = field(cursor, 'insertion_order');
  if (kind === 'object' && order && text(order) === 'after_parent')
    body.set('insertion_order', 'after_parent');
  return { body, target: tableKey(table) };
}
