import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel } from '../../permissions/index.ts';
import type { Model, RoleModel } from '../../permissions/types/model.ts';
import type { TableModel } from '../../permissions/types/tables.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../support/http.ts';
import { readAttempts } from './attempts.ts';
import { headersOf } from './caller.ts';

let database: TestDatabase;
let owner: pg.Client;
let server: TestServer;
let model: Model;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({ database, plugins: true });
  owner = await database.connectOwner();
  const { rolePrefix, headerPrefix } = server.config;
  model = await loadModel({ metadata: platformMetadata, client: owner, rolePrefix, headerPrefix });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operations = ['insert', 'update', 'delete'] as const;

/** All roles except admin. */
const people = () => [...model.roles.values()].filter(({ name }) => name !== 'admin');

/** Returns the tables of a role with its permissions on each. */
function rulesOf(role: RoleModel) {
  return [...role.tables].map(([key, rules]) => ({
    table: model.tables.get(key) as TableModel,
    rules,
  }));
}

/** Returns the writes that a role may make, such as `insert invoice`. */
function writesOf(role: RoleModel): string[] {
  return rulesOf(role).flatMap(({ table, rules }) =>
    operations.filter((operation) => rules[operation]).map((one) => `${one} ${table.name}`),
  );
}

/** Returns the mutations of plugins that a role may use. */
function extensionsOf(role: RoleModel): string[] {
  const { fields } = model.graphile?.extensions ?? {};
  return ['requestWithdrawal'].filter((name) => fields?.get(name)?.roles.has(role.name));
}

/** Returns the columns that a role may write, such as `insert invoice total`. */
function columnsOf(role: RoleModel): string[] {
  return rulesOf(role).flatMap(({ table, rules }) =>
    (['insert', 'update'] as const).flatMap(
      (one) => rules[one]?.columns.map((column) => `${one} ${table.name} ${column}`) ?? [],
    ),
  );
}

/** Introspects the GraphQL schema of a role. */
async function introspect(role: RoleModel) {
  const required = Object.fromEntries(role.requires.map((name) => [name, 'x']));
  const { body } = await server.graphql(
    '{ __schema { mutationType { fields { name } } types { name inputFields { name } } } }',
    headersOf(role.name, required),
  );
  const { mutationType, types } = body.data.__schema as Introspected;
  return { fields: mutationType?.fields.map(({ name }) => name) ?? [], types };
}

interface Introspected {
  readonly mutationType: { readonly fields: readonly { readonly name: string }[] } | null;
  readonly types: readonly {
    readonly name: string;
    readonly inputFields: readonly { readonly name: string }[] | null;
  }[];
}

test('every write rule of the platform has an example of an accepted write and of a refused write', () => {
  const facts = readAttempts().flatMap((group) => group.facts);
  const examplesOf = (written: boolean) => {
    const those = facts.filter(
      ({ expected }) => ('affects' in expected && expected.affects > 0) === written,
    );
    return new Set(those.map(({ role, write }) => `${role} ${write.kind} ${write.table}`));
  };
  const rules = people().flatMap((role) => writesOf(role).map((one) => `${role.name} ${one}`));
  expect(rules.length).toBeGreaterThan(100);
  expect(rules.filter((rule) => !examplesOf(true).has(rule))).toEqual([]);
  expect(rules.filter((rule) => !examplesOf(false).has(rule))).toEqual([]);
});

test('in GraphQL, each role has exactly the mutations of its write rules', async () => {
  for (const role of people()) {
    const { fields } = await introspect(role);
    const shown = fields.map((name) =>
      name.replace(/^(insert|update|delete)_(.+?)(_one|_many|_by_pk)?$/, '$1 $2'),
    );
    const own = [...writesOf(role), ...extensionsOf(role)];
    expect([...new Set(shown)].sort(), role.name).toEqual(own.sort());
  }
});

test('in GraphQL, each role may give exactly the columns of its write rules', async () => {
  const inputs = { insert: 'insert_input', update: 'set_input' };
  for (const role of people()) {
    const { types } = await introspect(role);
    const shown = rulesOf(role).flatMap(({ table }) =>
      Object.entries(inputs).flatMap(([operation, input]) => {
        const type = types.find(({ name }) => name === `${table.name}_${input}`);
        const columns = type?.inputFields?.filter(({ name }) => table.columns.has(name)) ?? [];
        return columns.map(({ name }) => `${operation} ${table.name} ${name}`);
      }),
    );
    expect(shown.sort(), role.name).toEqual(columnsOf(role).sort());
  }
});

test('in SQL, each role may insert and update exactly the columns of its write rules', async () => {
  for (const role of people()) {
    const { rows } = await owner.query<{ granted: string }>(
      `select lower(p.privilege) || ' ' || c.relname || ' ' || a.attname as granted
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped,
       unnest(array['INSERT', 'UPDATE']) as p (privilege)
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and has_column_privilege($1, c.oid, a.attnum, p.privilege)`,
      [role.postgresName],
    );
    expect(rows.map(({ granted }) => granted).sort(), role.name).toEqual(columnsOf(role).sort());
  }
});

test('in SQL, each role may delete only from tables with a delete rule', async () => {
  for (const role of people()) {
    const { rows } = await owner.query<{ granted: string }>(
      `select 'delete ' || c.relname as granted from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and has_table_privilege($1, c.oid, 'DELETE')`,
      [role.postgresName],
    );
    const deletes = writesOf(role).filter((one) => one.startsWith('delete '));
    expect(rows.map(({ granted }) => granted).sort(), role.name).toEqual(deletes.sort());
  }
});
