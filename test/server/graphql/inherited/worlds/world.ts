import type { Dice } from './dice.ts';
import { type Filter, makeFilter } from './filters.ts';
import { columnsOf, computed, functions, relations, type Table, tables } from './tables.ts';

/** The random rules of a role without parents for one table. */
export interface Rules {
  readonly select?: {
    readonly filter: Filter;
    readonly columns: readonly string[];
    readonly computed_fields?: readonly string[];
  };
  readonly update?: { readonly filter: Filter; readonly columns: readonly string[] };
  readonly delete?: { readonly filter: Filter };
}

/** Random roles with their rules and metadata. */
export interface World {
  readonly plain: ReadonlyMap<string, Readonly<Partial<Record<Table, Rules>>>>;
  /** Maps each inheriting role to all roles without parents that it inherits from. */
  readonly inheritingRoles: ReadonlyMap<string, readonly string[]>;
  /** Maps each function to the roles that may call it. */
  readonly callers: ReadonlyMap<keyof typeof functions, readonly string[]>;
  readonly metadata: Readonly<Record<string, string>>;
}

export function makeWorld(dice: Dice, plainCount: number, inheritingCount: number): World {
  const names = Array.from({ length: plainCount }, (_, index) => `plain_${index}`);
  // The number of filters is small, so that some roles have equal rules, which can be inherited together.
  const filters = new Map(
    tables.map((table) => [table, [1, 2, 3].map(() => makeFilter(dice, table, 2))]),
  );
  const plain = new Map(
    names.map((name) => {
      const ruled = dice.some(tables, 0.9);
      const rules = ruled.map((table) => [table, makeRules(dice, table, filters.get(table) ?? [])]);
      return [name, Object.fromEntries(rules) as Partial<Record<Table, Rules>>];
    }),
  );
  const parents = new Map<string, readonly string[]>();
  const inheritingRoles = new Map<string, readonly string[]>();
  for (let index = 0; index < inheritingCount; index++) {
    const known = [...names, ...parents.keys()];
    const above = dice.shuffled(known).slice(0, 2);
    parents.set(`inheriting_${index}`, above);
    inheritingRoles.set(`inheriting_${index}`, [
      ...new Set(above.flatMap((one) => inheritingRoles.get(one) ?? [one])),
    ]);
  }
  const callers = new Map(
    (Object.keys(functions) as (keyof typeof functions)[]).map((name) => {
      const may = names.filter((role) => plain.get(role)?.[functions[name].table]?.select);
      return [name, dice.some(may, 0.7)] as const;
    }),
  );
  return { plain, inheritingRoles, callers, metadata: filesOf(dice, { plain, parents, callers }) };
}

function makeRules(dice: Dice, table: Table, filters: readonly Filter[]): Rules {
  const filter = () => (dice.chance(0.6) ? dice.pick(filters) : makeFilter(dice, table, 2));
  const isWhole = dice.chance(0.2);
  const isFound = dice.chance(0.6);
  const columns = isWhole
    ? [...columnsOf[table], 'w']
    : columnsOf[table].filter((name) => (name === 'id' && isFound) || dice.chance(0.3));
  const values = Object.entries(computed[table]).filter(([, { rows }]) => !rows);
  const fields = dice.some(
    values.map(([name]) => name),
    columns.length > 0 ? 0.4 : 0,
  );
  const select = { filter: filter(), columns, computed_fields: fields, allow_aggregations: true };
  return {
    ...(dice.chance(0.9) && { select }),
    ...(dice.chance(0.5) && { update: { filter: filter(), columns: ['w'] } }),
    ...(dice.chance(0.3) && { delete: { filter: filter() } }),
    ...(dice.chance(0.3) && { insert: { check: {}, columns: ['id', 'w'] } }),
  };
}

type Roles = Pick<World, 'plain' | 'callers'> & {
  readonly parents: ReadonlyMap<string, readonly string[]>;
};

function filesOf(dice: Dice, { plain, parents, callers }: Roles): World['metadata'] {
  const roles = Object.fromEntries([
    ...[...plain.keys()].map((name) => [name, {}]),
    ...[...parents].map(([name, inherits]) => [name, { inherits }]),
  ]);
  const ofTables = tables.map((table) => {
    const fields = Object.entries(computed[table]).map(([name, field]) => {
      const rights = field.owner || dice.chance(0.5) ? 'owner' : 'caller';
      const session = field.session && { session_argument: 'session' };
      return [name, { function: field.function, rights, ...session }];
    });
    const permissions = [...plain].flatMap(([name, rules]) =>
      Object.keys(rules[table] ?? {}).length > 0 ? [[name, rules[table]]] : [],
    );
    return [
      `tables/${table}.yaml`,
      {
        ...{ table, relationships: relations[table] },
        ...(fields.length > 0 && { computed_fields: Object.fromEntries(fields) }),
        permissions: Object.fromEntries(permissions),
      },
    ] as const;
  });
  const ofFunctions = [...callers].map(
    ([name, permissions]) =>
      [`functions/${name}.yaml`, { function: name, permissions, rights: 'owner' }] as const,
  );
  return Object.fromEntries(
    [['roles.yaml', { roles }] as const, ...ofTables, ...ofFunctions].map(([name, body]) => [
      name,
      JSON.stringify(body),
    ]),
  );
}
