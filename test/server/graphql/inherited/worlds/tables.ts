import type { Dice } from './dice.ts';

/** The tables and their columns, without `w`. Tests write to `w`, which no rule or function reads. */
export const stored = {
  owner: ['id', 'a', 'b', 'c', 'd'],
  item: ['id', 'owner_id', 'a', 'b', 'c', 'd'],
  leaf: ['id', 'item_id', 'a', 'b', 'c', 'd'],
} as const;

export type StoredTable = keyof typeof stored;
/** A table, or `vitem`, which is a view of all rows of `item`. */
export type Table = StoredTable | 'vitem';

export const columnsOf: Readonly<Record<Table, readonly string[]>> = {
  ...stored,
  vitem: stored.item,
};
export const tables = Object.keys(columnsOf) as readonly Table[];

export function storedTableOf(table: Table): StoredTable {
  return table === 'vitem' ? 'item' : table;
}

export type Row = Readonly<Record<string, number | null>>;
export type Data = Readonly<Record<StoredTable, readonly Row[]>>;

export interface Relation {
  readonly table: Table;
  readonly kind: 'array' | 'object';
  readonly columns: Readonly<Record<string, string>>;
}

const leaves: Relation = { table: 'leaf', kind: 'array', columns: { id: 'item_id' } };
const owner: Relation = { table: 'owner', kind: 'object', columns: { owner_id: 'id' } };

/** The relationships of each table by name. */
export const relations: Readonly<Record<Table, Readonly<Record<string, Relation>>>> = {
  owner: {
    items: { table: 'item', kind: 'array', columns: { id: 'owner_id' } },
    vitems: { table: 'vitem', kind: 'array', columns: { id: 'owner_id' } },
  },
  item: { owner, leaves, alike: { table: 'leaf', kind: 'array', columns: { a: 'b' } } },
  leaf: {
    item: { table: 'item', kind: 'object', columns: { item_id: 'id' } },
    vitem: { table: 'vitem', kind: 'object', columns: { item_id: 'id' } },
  },
  vitem: { owner, leaves },
};

/** Returns the rows that a relationship leads to, including rows that no role may see. */
export function related({ table, columns }: Relation, row: Row, data: Data): readonly Row[] {
  return data[storedTableOf(table)].filter((other) =>
    Object.entries(columns).every(
      ([local, remote]) => row[local] !== null && row[local] === other[remote],
    ),
  );
}

/** The function of a computed field, computed in TypeScript to know the expected result. */
export interface Computed {
  readonly function: string;
  /** The table whose rows the function returns; undefined if it returns a single value. */
  readonly rows?: StoredTable;
  readonly owner?: true;
  readonly session?: true;
  readonly of: (row: Row, data: Data, argument: number) => unknown;
}

const sum = (...values: readonly (number | null | undefined)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

export const computed: Readonly<Record<Table, Readonly<Record<string, Computed>>>> = {
  owner: {
    total: { function: 'f_total', of: ({ a, b }) => (a == null || b == null ? null : a + b) },
    over: {
      ...{ function: 'f_over', rows: 'item', owner: true },
      of: ({ id }, { item }, argument) =>
        item.filter((one) => one.owner_id === id && one.b != null && one.b > argument),
    },
  },
  item: {
    times: { function: 'f_times', owner: true, of: ({ d }) => d },
    mine: { function: 'f_mine', session: true, of: ({ b }) => (b == null ? null : b > most) },
    near: {
      ...{ function: 'f_near', rows: 'leaf', owner: true },
      of: ({ c }, { leaf }) => leaf.filter((one) => one.c != null && one.c === c),
    },
  },
  leaf: {
    deep: {
      ...{ function: 'f_deep', owner: true },
      of: ({ item_id }, { item }) =>
        sum(...item.filter(({ id }) => id === item_id).map(({ c }) => c)),
    },
  },
  vitem: {},
};

const most = 3;
/** Session variables of every request. */
export const variables = { Most: most, One: 2 };

/** The database functions that are root fields, with the table whose row type they return. */
export const functions = {
  all_items: { table: 'item' },
  made_items: { table: 'item' },
  one_owner: { table: 'owner' },
} as const;

/** The rows that the function `made_items` makes up, which no table contains. */
export const madeItems: readonly Row[] = Array.from({ length: 9 }, (_, index) => {
  const id = index + 1;
  return { id, owner_id: id, a: id % 3, b: id % 4, c: id % 5, d: 0 };
});

export const schema = `
create table owner (id int primary key, a int, b int, c int, d int, w int);
create table item (id int primary key, owner_id int, a int, b int, c int, d int, w int);
create table leaf (id int primary key, item_id int, a int, b int, c int, d int, w int);
create view vitem as select id, owner_id, a, b, c, d, w from item;
create function f_total(r owner) returns int language sql stable begin atomic select r.a + r.b; end;
create function f_over(r owner, n int default 1) returns setof item language sql stable begin atomic
  select i.* from item i where i.owner_id = r.id and i.b > n; end;
create function f_times(r item, n int default 1) returns int language sql stable begin atomic select r.d * n; end;
create function f_mine(session json, r item) returns boolean language sql stable begin atomic
  select r.b > (session ->> 'x-gql-most')::int; end;
create function f_near(r item) returns setof leaf language sql stable begin atomic select l.* from leaf l where l.c = r.c; end;
create function f_deep(r leaf) returns bigint language sql stable begin atomic
  select coalesce(sum(i.c), 0) from item i where i.id = r.item_id; end;
create function all_items(n int default 2) returns setof item language sql stable begin atomic select * from item where a <= n; end;
create function made_items() returns setof item language sql stable begin atomic
  select n, n, n % 3, n % 4, n % 5, 0, 0 from generate_series(1, 9) n; end;
create function one_owner(n int default 2) returns owner language sql stable begin atomic select o from owner o where o.id = n; end;`;

/** A random value of a column. */
export function anyValue(dice: Dice): number | null {
  return dice.chance(0.15) ? null : dice.below(6);
}

export function makeData(dice: Dice): Data {
  const rows = (count: number, up: Record<string, () => number | null>) =>
    Array.from({ length: count }, (_, index): Row => {
      const above = Object.entries(up).map(([name, value]) => [name, value()]);
      const cells = ['a', 'b', 'c', 'd'].map((name) => [name, anyValue(dice)]);
      return Object.fromEntries([['id', index + 1], ...above, ...cells]);
    });
  return {
    owner: rows(5, {}),
    item: rows(9, { owner_id: () => anyValue(dice) }),
    leaf: rows(9, { item_id: () => (dice.chance(0.1) ? null : 1 + dice.below(9)) }),
  };
}

/** SQL that replaces the contents of the tables. */
export function loading(data: Data): string {
  const names = Object.keys(stored) as readonly StoredTable[];
  const inserts = names
    .filter((table) => data[table].length > 0)
    .map((table) => {
      const rows = data[table].map(
        (row) => `(${stored[table].map((name) => row[name] ?? 'null').join(', ')}, 0)`,
      );
      return `insert into ${table} (${stored[table].join(', ')}, w) values ${rows.join(', ')};`;
    });
  return `truncate ${names.join(', ')}; ${inserts.join(' ')}`;
}
