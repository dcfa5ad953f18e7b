/**
 * Tables of the test. Except in foreign keys, the last two digits of every value are the number of its row.
 */
export const tables = {
  owner: { columns: ['id', 'a', 'b'], up: undefined, down: 'items' },
  item: { columns: ['id', 'owner_id', 'a', 'b'], up: 'owner', down: 'leaves' },
  leaf: { columns: ['id', 'item_id', 'a', 'b'], up: 'item', down: undefined },
} as const;

export type TableName = keyof typeof tables;

export const tableNames = Object.keys(tables) as readonly TableName[];

export const schema = `
create table owner (id int primary key, a int not null, b int not null);
create table item (id int primary key, owner_id int not null references owner, a int not null, b int not null, w int);
create table leaf (id int primary key, item_id int not null references item, a int not null, b int not null);
insert into owner select n, 1000 + n, 2000 + n from generate_series(1, 5) n;
insert into item select n, 1 + n % 5, 1000 + n, 2000 + n from generate_series(1, 9) n;
insert into leaf select n, 1 + n % 9, 1000 + n, 2000 + n from generate_series(1, 12) n;`;

/**
 * Names of roles, and their metadata. `inheritingRoles`: all roles without parents from which a role inherits, by role.
 */
export interface RandomRoles {
  readonly plain: readonly string[];
  readonly inheritingRoles: ReadonlyMap<string, readonly string[]>;
  readonly metadata: Readonly<Record<string, string>>;
}

type Random = () => number;

/** Random numbers from 0 to 1, equal for equal seeds (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** Selects `count` different items and keeps their order. */
function some<T>(random: Random, items: readonly T[], count: number): readonly T[] {
  const left = items.map((item, index) => [random(), index, item] as const);
  const chosen = left.toSorted(([a], [b]) => a - b).slice(0, count);
  return chosen.toSorted(([, a], [, b]) => a - b).map(([, , item]) => item);
}

/** Makes random rules for roles without parents, and roles that inherit from two to four other roles. */
export function makeRoles(
  random: Random,
  plainCount: number,
  inheritingCount: number,
): RandomRoles {
  const plain = Array.from({ length: plainCount }, (_, index) => `plain_${index}`);
  const parents = new Map<string, readonly string[]>();
  const inheritingRoles = new Map<string, readonly string[]>();
  for (let index = 0; index < inheritingCount; index++) {
    const known = [...plain, ...parents.keys()];
    const chosen = some(random, known, 2 + Math.floor(random() * 3));
    parents.set(`inheriting_${index}`, chosen);
    inheritingRoles.set(`inheriting_${index}`, [
      ...new Set(chosen.flatMap((one) => inheritingRoles.get(one) ?? [one])),
    ]);
  }
  const roles = Object.fromEntries([
    ...plain.map((name) => [name, {}]),
    ...[...parents].map(([name, inherits]) => [name, { inherits }]),
  ]);
  const files = tableNames.map((table) => {
    // The number of filters is small, so that some roles have equal rules, which can be inherited together.
    const filters = [{}, ...Array.from({ length: 4 }, () => makeFilter(random, table, 2))];
    const permissions = plain.flatMap((name) => {
      const rules = makeRules(random, table, filters);
      return rules ? [[name, rules]] : [];
    });
    const body = { table, permissions: Object.fromEntries(permissions) };
    return [`tables/${table}.yaml`, JSON.stringify(body)] as const;
  });
  const metadata = { 'roles.yaml': JSON.stringify({ roles }), ...Object.fromEntries(files) };
  return { plain, inheritingRoles, metadata };
}

function makeRules(random: Random, table: TableName, filters: readonly unknown[]): unknown {
  if (random() < 0.15) return undefined;
  const { columns } = tables[table];
  const identifying = pick(random, ['id', 'a', 'b']);
  const shown = columns.filter((name) => name === identifying || random() < 0.4);
  const select = { filter: pick(random, filters), columns: shown, allow_aggregations: true };
  const update = { filter: {}, columns: ['w'] };
  return table === 'item' && random() < 0.7 ? { select, update } : { select };
}

function makeFilter(random: Random, table: TableName, depth: number): unknown {
  const below = () => makeFilter(random, table, depth - 1);
  const number = 1 + Math.floor(random() * 9);
  const { up } = tables[table];
  const kind = random();
  if (depth > 0 && kind < 0.15) return { _or: [below(), below()] };
  if (depth > 0 && kind < 0.3) return { _and: [below(), below()] };
  if (depth > 0 && kind < 0.4) return { _not: below() };
  if (up && kind < 0.6) return { [up]: makeFilter(random, up, 0) };
  if (kind < 0.7) return { id: { _in: [number, number + 2, number + 3] } };
  if (kind < 0.8) return { a: { _gt: 1000 + number } };
  return pick(random, [{ id: { _lte: 'X-Gql-Most' } }, { id: { _eq: 'X-Gql-One' } }]);
}
