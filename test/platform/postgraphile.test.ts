import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadModel } from '../../permissions/index.ts';
import type { Model, RoleModel } from '../../permissions/types/model.ts';
import type { TableModel } from '../../permissions/types/tables.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/http.ts';
import { ask, fieldOf, type Reading, readThreeWays, typeOf } from './postgraphile-rows.ts';
import { roleNames } from './role-names.ts';
import type { Variables } from './rules-in-force.ts';

const metadata = path.resolve(import.meta.dirname, '../../metadata');

let database: TestDatabase;
let client: pg.Client;
let server: TestServer;
let model: Model;
let people: readonly Variables[];
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  client = await database.connectSuperuser();
  server = await startTestServer({ database, plugins: true });
  model = await loadModel({
    ...{ metadata, client, headerPrefix: 'X-Gql-', rolePrefix: 'shared_' },
  });
  const { rows } = await client.query(
    `select u.id as user_id, u.organization_id::text, coalesce(
       (select array_agg(f.id) from (select id from public.fund order by id limit 2) f), '{}')::text as allowed_funds
     from public."user" u where u.id in ('local|alder-admin', 'local|birch-admin') order by u.id`,
  );
  people = rows;
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const roles = ['admin', ...roleNames];

test('the tests of this file cover every role, with two people', () => {
  expect(roles.toSorted()).toEqual([...model.roles.keys()].toSorted());
  expect(people).toHaveLength(2);
});

const roleOf = (name: string) => model.roles.get(name) as RoleModel;
const readingOf = (role: string, variables: Variables): Reading => ({
  ...{ url: server.url, secret: server.adminSecret, client, role: roleOf(role), variables },
});

interface SchemaShape {
  readonly queryType: {
    readonly fields: readonly { readonly name: string; readonly type: Named }[];
  };
  readonly types: readonly {
    readonly name: string;
    readonly fields: readonly { readonly name: string }[] | null;
    readonly inputFields: readonly { readonly name: string }[] | null;
    readonly enumValues: readonly { readonly name: string }[] | null;
  }[];
}
interface Named {
  readonly name: string | null;
}

const schemas = new Map<string, Promise<SchemaShape>>();

/** Returns the schema that a role gets in the dialect of PostGraphile. Introspects it once. */
function schemaOf(role: string): Promise<SchemaShape> {
  const schema = schemas.get(role) ?? introspect(role);
  schemas.set(role, schema);
  return schema;
}

async function introspect(role: string): Promise<SchemaShape> {
  const query = `{ __schema { queryType { fields { name type { name } } }
    types { name fields { name } inputFields { name } enumValues { name } } } }`;
  const [data] = await ask(readingOf(role, people[0] ?? {}), '/graphql', [{ query }]);
  return data.__schema;
}

const readable = (role: string) =>
  [...roleOf(role).tables].flatMap(([key, rules]) => {
    const table = model.tables.get(key);
    return table && rules.select && rules.select.columns.length > 0 ? [table] : [];
  });

/** Returns the root field that lists a table. */
function listIn({ queryType }: SchemaShape, table: TableModel): string {
  const type = `${typeOf(table)}Connection`;
  return queryType.fields.find((field) => field.type.name === type)?.name ?? '';
}

describe.each(roles)('in the PostGraphile dialect, the role %s', (role) => {
  test('gets the same rows and values as in the Hasura dialect and in SQL', async () => {
    const schema = await schemaOf(role);
    const tables = readable(role);
    let cells = 0;
    for (const person of people) {
      const ways = await readThreeWays(readingOf(role, person), tables, (table) =>
        listIn(schema, table),
      );
      for (const [index, { hasura, postgraphile, sql }] of ways.entries()) {
        const where = `${role} ${tables[index]?.name}`;
        expect(postgraphile, where).toEqual(hasura);
        expect(postgraphile, where).toEqual(sql);
        cells += postgraphile.join().length;
      }
    }
    expect(cells).toBeGreaterThan(0);
  });

  test('has exactly the columns of its select rules in the schema', async () => {
    const { types } = await schemaOf(role);
    const columns = new Map(
      readable(role).map((table) => [
        typeOf(table),
        roleOf(role).tables.get(table.key)?.select?.columns.map(fieldOf) ?? [],
      ]),
    );
    for (const table of model.tables.values()) {
      const all = [...table.columns.keys()].map(fieldOf);
      const fields = types.find(({ name }) => name === typeOf(table))?.fields ?? [];
      const shown = fields.map(({ name }) => name).filter((name) => all.includes(name));
      const expected = columns.get(typeOf(table)) ?? [];
      expect(shown.toSorted(), `${role} ${table.name}`).toEqual([...expected].toSorted());
    }
  });

  test('finds no hidden column in conditions, orders or aggregates, and only the columns of its write rules in inputs', async () => {
    const { types } = await schemaOf(role);
    for (const table of model.tables.values()) {
      const rules = roleOf(role).tables.get(table.key);
      const all = [...table.columns.keys()];
      const written = (kind: 'insert' | 'update') =>
        rules?.[kind]?.backendOnly
          ? []
          : (rules?.[kind]?.columns ?? []).filter((name) => !table.columns.get(name)?.generated);
      const type = typeOf(table);
      const allowed = (name: string): readonly string[] => {
        if (name === `${type}Input`) return written('insert');
        return name === `${type}Patch` ? written('update') : (rules?.select?.columns ?? []);
      };
      const counted = '(Sum|DistinctCount|Min|Max|Average|Stddev[A-Z][a-z]+|Variance[A-Z][a-z]+)';
      const kinds = `Condition|OrderBy|GroupBy|Input|Patch|${counted}Aggregates|Having${counted}Input`;
      const own = types.filter(({ name }) => new RegExp(`^${type}(${kinds})$`).test(name));
      for (const { name, fields, inputFields, enumValues } of own) {
        const named = [...(fields ?? []), ...(inputFields ?? []), ...(enumValues ?? [])];
        const columns = all.filter((column) =>
          named.some((one) =>
            [fieldOf(column), `${orderOf(column)}_ASC`, orderOf(column)].includes(one.name),
          ),
        );
        const beyond = columns.filter((column) => !allowed(name).includes(column));
        expect(beyond, `${role} ${name}`).toEqual([]);
      }
      // The input type of a mutation exists exactly when the role has a rule for that mutation.
      const inputs = types.find(({ name }) => name === `${type}Input`)?.inputFields ?? [];
      const given = inputs.map((one) => one.name);
      expect(given.toSorted(), `${role} ${type}Input`).toEqual(
        written('insert').map(fieldOf).toSorted(),
      );
    }
  });

  test('has no count or aggregate in the schema for a table whose rule allows no aggregations', async () => {
    const { types } = await schemaOf(role);
    const counted = new Set(
      readable(role)
        .filter(({ key }) => roleOf(role).tables.get(key)?.select?.allowAggregations)
        .map(typeOf),
    );
    const closed = [...model.tables.values()].map(typeOf).filter((type) => !counted.has(type));
    const named = types.flatMap(({ name, fields, inputFields, enumValues }) =>
      [...(fields ?? []), ...(inputFields ?? []), ...(enumValues ?? [])].map((one) => ({
        ...{ type: name, name: one.name },
      })),
    );
    const counting = named.filter(
      ({ type, name }) =>
        /aggregate|totalCount|having|groupBy/i.test(name) ||
        (type.endsWith('OrderBy') && /_(COUNT|SUM|AVERAGE|MIN|MAX|STDDEV|VARIANCE)_/.test(name)),
    );
    const ofClosed = counting.filter(({ type, name }) =>
      closed.some(
        (one) =>
          type === `${one}Connection` ||
          type.startsWith(`${one}Aggregates`) ||
          (type.endsWith('OrderBy') && name.startsWith(`${screaming(plural(one))}_BY_`)),
      ),
    );
    expect(ofClosed).toEqual([]);
    // Without permission to count any table, no name in the schema refers to a count.
    expect(counting.length > 0).toBe(counted.size > 0);
  });

  test('gets null for the node id of a row that its rules hide', async () => {
    const schema = await schemaOf(role);
    const tables = readable(role).filter(({ primaryKey, key }) => {
      const columns = roleOf(role).tables.get(key)?.select?.columns ?? [];
      return primaryKey.length > 0 && primaryKey.every((name) => columns.includes(name));
    });
    const [alder = {}, birch = {}] = people;
    const all = await ask(
      readingOf('admin', {}),
      '/graphql',
      tables.map((table) => ({
        query: `{ rows: ${listIn(schema, table)}(first: 100) { nodes { id } } }`,
      })),
    );
    for (const person of [alder, birch]) {
      const reading = readingOf(role, person);
      const seen = await ask(
        reading,
        '/graphql',
        tables.map((table) => ({
          query: `{ rows: ${listIn(schema, table)}(first: 1000) { nodes { id } } }`,
        })),
      );
      for (const [index, table] of tables.entries()) {
        const own = new Set(seen[index].rows.nodes.map(({ id }: { id: string }) => id));
        const others: string[] = all[index].rows.nodes
          .map(({ id }: { id: string }) => id)
          .filter((id: string) => !own.has(id))
          .slice(0, 3);
        const query = 'query ($id: ID!) { node(id: $id) { id } }';
        const bodies = others.map((id) => ({ query, variables: { id } }));
        const nodes = (await ask(reading, '/graphql', bodies)).map(({ node }) => node);
        expect(nodes, `${role} ${table.name}`).toEqual(others.map(() => null));
      }
    }
  });
});

const orderOf = (column: string) => (column === 'id' ? 'ROW_ID' : column.toUpperCase());
const screaming = (name: string) => name.replace(/(?!^)([A-Z])/g, '_$1').toUpperCase();
const plural = (name: string) => (/[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`);
