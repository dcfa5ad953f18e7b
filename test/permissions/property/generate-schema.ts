import fc from 'fast-check';
import { columnTypes, familyOf } from './pools.ts';
import type { Column, ForeignKey, Relationship, Schema, Table } from './vocabulary.ts';

interface Slot {
  readonly table: number;
  readonly nullable: boolean;
}

interface Link {
  readonly from: number;
  readonly to: number;
  readonly kind: 'object' | 'array';
  /** Indexes into all comparable pairs of columns. */
  readonly pairs: readonly number[];
}

interface Draft {
  readonly count: number;
  /** Two columns of every type, distributed over the tables. */
  readonly slots: readonly Slot[];
  /**
   * The target tables of foreign keys with one column, by table. `pairs` contains the targets of keys with two columns.
   */
  readonly ups: readonly Slot[];
  readonly pairs: readonly Slot[];
  readonly links: readonly Link[];
}

const slot = fc.record({ table: fc.nat(11), nullable: fc.boolean() });
const slots = (length: number) => fc.array(slot, { minLength: length, maxLength: length });

/**
 * Two to four tables with foreign keys of one and of two columns, a foreign key of a table to itself, and manual
 * relationships.
 */
export const anySchema: fc.Arbitrary<Schema> = fc
  .record({
    count: fc.integer({ min: 2, max: 4 }),
    slots: slots(columnTypes.length * 2),
    ups: slots(4),
    pairs: slots(4),
    links: fc.array(
      fc.record({
        from: fc.nat(11),
        to: fc.nat(11),
        kind: fc.constantFrom('object', 'array'),
        pairs: fc.array(fc.nat(999), { minLength: 1, maxLength: 2 }),
      }),
      { minLength: 4, maxLength: 8 },
    ),
  })
  .map(build);

const nameOf = (index: number, draft: Draft) => `t${index % draft.count}`;

function build(draft: Draft): Schema {
  const indexes = Array.from({ length: draft.count }, (_, index) => index);
  const bare = indexes.map((index) => ({
    name: nameOf(index, draft),
    columns: columnsOf(index, draft),
    keys: keysOf(index, draft),
  }));
  return bare.map((table) => ({
    ...table,
    relationships: [
      ...table.keys.map(outgoing),
      ...bare.flatMap((from) => from.keys.flatMap((key) => incoming(from.name, key, table.name))),
      ...draft.links.flatMap((link, index) => byHand(link, index, bare, draft, table.name)),
    ],
  }));
}

function columnsOf(index: number, draft: Draft): readonly Column[] {
  const dealt = draft.slots.flatMap(({ table, nullable }, at): Column[] => {
    const type = columnTypes[at % columnTypes.length] ?? 'text';
    const name = `${type.replace('[]', 's')}_${at < columnTypes.length ? 1 : 2}`;
    return nameOf(table, draft) === nameOf(index, draft) ? [{ name, type, nullable }] : [];
  });
  const key = (name: string, nullable = true): Column => ({ name, type: 'int4', nullable });
  return [
    key('id', false),
    key('num', false),
    key('up_id', draft.ups[index]?.nullable),
    key('self_id'),
    key('pair_id', draft.pairs[index]?.nullable),
    key('pair_num'),
    ...dealt,
  ];
}

function keysOf(index: number, draft: Draft): readonly ForeignKey[] {
  const to = (slot: Slot | undefined) => nameOf(slot?.table ?? 0, draft);
  return [
    { name: 'up', columns: ['up_id'], table: to(draft.ups[index]), remote: ['id'] },
    { name: 'self', columns: ['self_id'], table: nameOf(index, draft), remote: ['id'] },
    {
      name: 'pair',
      columns: ['pair_id', 'pair_num'],
      table: to(draft.pairs[index]),
      remote: ['id', 'num'],
    },
  ];
}

/** A foreign key with one column gives its relationship a default name. */
function outgoing({ name, columns, table, remote }: ForeignKey): Relationship {
  const pairs = columns.map((local, index) => ({ local, remote: remote[index] ?? '' }));
  return { name, table, pairs, ...(columns.length > 1 && { written: { columns } }) };
}

function incoming(from: string, key: ForeignKey, table: string): readonly Relationship[] {
  if (key.table !== table) return [];
  const { columns } = key;
  const pairs = columns.map((remote, index) => ({ local: key.remote[index] ?? '', remote }));
  const written = { table: from, ...(columns.length > 1 ? { columns } : { column: columns[0] }) };
  return [{ name: `${from}_by_${key.name}`, table: from, pairs, written }];
}

function byHand(
  link: Link,
  index: number,
  tables: readonly Omit<Table, 'relationships'>[],
  draft: Draft,
  owner: string,
): readonly Relationship[] {
  const from = tables.find(({ name }) => name === nameOf(link.from, draft));
  const to = tables.find(({ name }) => name === nameOf(link.to, draft));
  if (!from || !to || from.name !== owner) return [];
  const all = from.columns.flatMap((local) =>
    to.columns
      .filter((remote) => familyOf(remote.type) === familyOf(local.type))
      .map((remote) => ({ local: local.name, remote: remote.name })),
  );
  const chosen = link.pairs.flatMap((at) => all[at % all.length] ?? []);
  const columns = Object.fromEntries(chosen.map(({ local, remote }) => [local, remote]));
  const pairs = Object.entries(columns).map(([local, remote]) => ({ local, remote }));
  // A manual relationship along a foreign key would replace the default relationship of that key.
  const isKey = from.keys.some(
    (key) => key.table === to.name && String(key.columns) === String(Object.keys(columns)),
  );
  if (isKey) return [];
  const written = { table: to.name, columns, kind: link.kind };
  return [{ name: `link${index}`, table: to.name, pairs, written }];
}
