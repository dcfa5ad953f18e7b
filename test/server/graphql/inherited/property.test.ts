import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from '../support/data-of.ts';
import { type Ask, type Gateway, startGateway } from '../support/gateway.ts';
import {
  makeRoles,
  randomFrom,
  schema,
  type TableName,
  tableNames,
  tables,
} from './random-roles.ts';
import {
  type RowValues,
  rowOf,
  type Shown,
  shownInSql,
  shownOf,
  sorted,
  together,
} from './shown-values.ts';

const seed = Number(process.env.PROPERTY_SEED ?? 20_240_601);
const { plain, inheritingRoles, metadata } = makeRoles(randomFrom(seed), 6, 6);
const variables = { Most: '4', One: '2' };

let gateway: Gateway;
let client: pg.Client;
/**
 * `shown`: the rows that a role without parents sees over GraphQL, by table. `related`: the rows to which these rows
 * refer.
 */
const shown = new Map<string, ReadonlyMap<TableName, Shown>>();
const related = new Map<string, ReadonlyMap<TableName, Shown>>();

beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
  client = new pg.Client({ connectionString: gateway.gatewayUrl });
  await client.connect();
  for (const role of plain) {
    const results = await Promise.all(tableNames.map((table) => ask(role, table)));
    shown.set(
      role,
      new Map(results.map((one, index) => [tableNames[index] as TableName, one.shown])),
    );
    related.set(
      role,
      new Map(results.map((one, index) => [tableNames[index] as TableName, one.above])),
    );
  }
});
afterAll(async () => {
  await client.end();
  await gateway.stop();
});

interface TypeField {
  readonly name: string;
}

/** Returns the names of all fields that the GraphQL type of a table has for a role. */
async function fieldsOf(role: Ask, table: TableName): Promise<readonly string[]> {
  const answer = await gateway.ask(`{ __type(name: "${table}") { fields { name } } }`, role);
  return (answer.data?.__type?.fields ?? []).map(({ name }: TypeField) => name);
}

type Row = RowValues & { readonly up?: RowValues | null };

/** Queries all rows of a table in a role, with the rows to which they refer by a foreign key (`above`). */
async function ask(name: string, table: TableName) {
  const role = { role: name, variables };
  const columns: readonly string[] = tables[table].columns;
  const above = tables[table].up;
  const fields = await fieldsOf(role, table);
  const own = fields.filter((field) => columns.includes(field));
  if (own.length === 0) return { own, fields, shown: new Map(), above: new Map() };
  const upper = above && fields.includes(above) ? await fieldsOf(role, above) : [];
  const values = upper.filter(
    (field) => above && (tables[above].columns as readonly string[]).includes(field),
  );
  const nested = values.length > 0 ? `up: ${above} { ${values.join(' ')} }` : '';
  const rows: readonly Row[] = (await answer(role, `{ ${table} { ${own.join(' ')} ${nested} } }`))[
    table
  ];
  const list = rows.map(({ up: _, ...row }) => row as RowValues);
  const referred = rows.flatMap(({ up, ...row }) =>
    up ? [[rowOf(row as RowValues), up] as const] : [],
  );
  return { own, fields, shown: shownOf(list), above: new Map(referred) };
}

async function answer(role: Ask, query: string) {
  return dataOf(await gateway.ask(query, role));
}

/** Returns the union of the rows that the parents of an inheriting role see, which the role itself must see. */
function expectedOf(inheriting: string, table: TableName): Shown {
  const parents = (inheritingRoles.get(inheriting) ?? []).map(
    (role) => shown.get(role)?.get(table) ?? new Map(),
  );
  const columns = new Set(parents.flatMap((one) => [...one.values()].flatMap(Object.keys)));
  return together(
    parents,
    tables[table].columns.filter((name) => columns.has(name)),
  );
}

const pairs = [...inheritingRoles.keys()].flatMap((inheriting) =>
  tableNames.map((table) => [inheriting, table] as const),
);

describe(`with random inheriting roles from seed ${seed},`, () => {
  test.each(pairs)(
    'the role %s reads from table %s exactly the rows and columns that its parent roles may read',
    async (inheriting, table) => {
      const found = await ask(inheriting, table);
      const expected = expectedOf(inheriting, table);
      const values = sorted(expected).map(([number, row]) => [
        number,
        Object.fromEntries(found.own.map((name) => [name, row[name] ?? null])),
      ]);
      expect(sorted(found.shown)).toEqual(values);
      const above = tables[table].up;
      const all = above ? expectedOf(inheriting, above) : new Map();
      for (const [, up] of found.above) expect(up).toEqual(pickLike(up, all.get(rowOf(up))));
      const seen = (inheritingRoles.get(inheriting) ?? []).flatMap((role) => [
        ...(related.get(role)?.get(table)?.keys() ?? []),
      ]);
      expect([...found.above.keys()]).toEqual(expect.arrayContaining([...new Set(seen)]));
    },
  );

  test.each(pairs)(
    'the role %s gets no information on masked values of table %s by where, order_by and aggregates',
    async (inheriting, table) => {
      const { own, shown: rows } = await ask(inheriting, table);
      const all = [...rows.values()];
      const parts = own.map((name) => questionsOf(table, name, own));
      const data =
        parts.length > 0
          ? await answer({ role: inheriting, variables }, `{ ${parts.join(' ')} }`)
          : {};
      for (const name of own) {
        const values = all.flatMap((row) => row[name] ?? []).sort((a, b) => a - b);
        const nulls = Array.from({ length: all.length - values.length }, () => null);
        const equal = all.filter((row) => row[name] === existingValueOf(name));
        const empty = all.filter((row) => row[name] === null);
        expect(sorted(shownOf(data[`equal_${name}`]))).toEqual(sorted(shownOf(equal)));
        expect(sorted(shownOf(data[`null_${name}`]))).toEqual(sorted(shownOf(empty)));
        expect(data[`not_${name}`]).toEqual([]);
        expect(data[`ordered_${name}`]).toEqual(
          [...values, ...nulls].map((value) => ({ [name]: value })),
        );
        expect(data[`total_${name}`].aggregate).toEqual({
          rows: all.length,
          count: values.length,
          sum: { [name]: values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : null },
          min: { [name]: values[0] ?? null },
          max: { [name]: values.at(-1) ?? null },
        });
      }
    },
  );

  test.each([...inheritingRoles.keys()])(
    'an update in the role %s returns only rows and columns that the role may read',
    async (inheriting) => {
      const role = { role: inheriting, variables };
      const { own, shown: rows } = await ask(inheriting, 'item');
      const fields = (await gateway.ask('{ __schema { mutationType { fields { name } } } }', role))
        .data;
      const may = (fields.__schema.mutationType?.fields ?? []).some(
        ({ name }: TypeField) => name === 'update_item',
      );
      const answerOf = (columns: readonly string[]) =>
        gateway.ask(
          `mutation { update_item(where: {}, _set: { w: 1 }) { returning { ${columns.join(' ')} } } }`,
          role,
        );
      const { data, errors } =
        may && own.length > 0 ? await answerOf(own) : { data: undefined, errors: undefined };
      const returned = shownOf(data?.update_item.returning ?? []);
      const changed = sorted(rows).filter(([number]) => returned.has(number));
      expect(sorted(returned)).toEqual(changed);
      // Postgres refuses to return rows only for a role whose key column is masked in some rows.
      expect(errors?.map(({ extensions }) => extensions.code) ?? []).toEqual(
        errors ? ['not-supported'] : [],
      );
      const item = await gateway.ask(
        '{ __type(name: "item") { fields { name type { kind } } } }',
        role,
      );
      const key = item.data.__type?.fields.find(({ name }: TypeField) => name === 'id');
      expect(errors && key?.type.kind).not.toBe('NON_NULL');
    },
  );

  test.each([
    ['all variables', { most: '4', one: '2' }],
    ['one variable less', { most: '4' }],
    ['no variable', {}],
  ])(
    'with %s set, each inheriting role reads in SQL exactly what its parent roles read in SQL',
    async (_, given) => {
      const inSql = (role: string) =>
        shownInSql(client, `rowgate_${gateway.database.name}_${role}`, given);
      const parents = new Map<string, ReadonlyMap<TableName, Shown>>();
      for (const role of plain) parents.set(role, await inSql(role));
      for (const [inheriting, above] of inheritingRoles) {
        const found = await inSql(inheriting);
        for (const table of tableNames) {
          const all = above.map((role) => parents.get(role)?.get(table) ?? new Map());
          expect(sorted(found.get(table) ?? new Map())).toEqual(
            sorted(together(all, tables[table].columns)),
          );
        }
      }
    },
  );
});

/** Returns the values of the second object for the names in the first, so that both can be compared. */
function pickLike(like: RowValues, values: RowValues | undefined): RowValues {
  return Object.fromEntries(Object.keys(like).map((name) => [name, values?.[name] ?? null]));
}

/** Returns a value that some row has in the column, for an `_eq` condition. */
function existingValueOf(name: string): number {
  return { a: 1001, b: 2001 }[name] ?? 1;
}

/** Returns query fields that could reveal masked values of a column by filtering, ordering or aggregating. */
function questionsOf(table: TableName, name: string, own: readonly string[]): string {
  const list = (where: string) => `${table}(where: ${where}) { ${own.join(' ')} }`;
  const count = `rows: count count(columns: [${name}]) sum { ${name} } min { ${name} } max { ${name} }`;
  return `equal_${name}: ${list(`{ ${name}: { _eq: ${existingValueOf(name)} } }`)}
    null_${name}: ${list(`{ ${name}: { _is_null: true } }`)}
    not_${name}: ${list(`{ _not: { ${name}: { _gte: 0 } } }`)}
    ordered_${name}: ${table}(order_by: { ${name}: asc }) { ${name} }
    total_${name}: ${table}_aggregate { aggregate { ${count} } }`;
}
