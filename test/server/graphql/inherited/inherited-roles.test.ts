import { tmpdir } from 'node:os';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadModel } from '../../../../permissions/index.ts';
import { parseConfig } from '../../../../server/config/config.ts';
import { openReader } from '../../../../server/platform/documents/read/row-reader.ts';
import { askAs, failureOf } from '../../../permissions/support/as-role.ts';
import { errorOf } from '../support/error-of.ts';
import { type Ask, type Gateway, startGateway } from '../support/gateway.ts';
import { metadata, people, schema } from './staff.ts';

let gateway: Gateway;
let owner: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
  owner = await gateway.database.connectOwner();
});
afterAll(() => gateway.stop());
beforeEach(() => owner.query(`truncate department, employee, review; ${people}`));

const variables = { 'User-Id': '4', 'Boss-Id': '9' };
const staff: Ask = { role: 'staff', variables };
const wide: Ask = { role: 'staff_and_anyone', variables };
const rows = async (query: string, ask = staff) => {
  const answer = await gateway.ask(query, ask);
  return Object.values(answer.data ?? { answer })[0];
};

describe('the rows that an inheriting role (a role with parent roles) reads', () => {
  test('are the rows of all parents, each with those columns that some parent may read in this row, and null in others', async () => {
    expect(await rows('{ employee(order_by: { id: asc }) { id name salary note } }')).toEqual([
      { id: 1, name: 'Ann', salary: null, note: 'good' },
      { id: 2, name: 'Ben', salary: null, note: 'slow' },
      { id: 4, name: 'Dee', salary: 400, note: null },
    ]);
  });

  test('have the columns of both parents only if both parents see the row', async () => {
    const own = { role: 'staff', variables: { 'User-Id': '1', 'Boss-Id': '9' } };
    expect(await rows('{ employee(order_by: { id: asc }) { name salary note } }', own)).toEqual([
      { name: 'Ann', salary: 100, note: 'good' },
      { name: 'Ben', salary: null, note: 'slow' },
    ]);
  });

  test('can be used with distinct_on and order_by on columns that are masked (null in some rows)', async () => {
    const query = '{ employee(distinct_on: [salary, note], order_by: { salary: asc }) { id } }';
    expect(await rows(query)).toEqual([{ id: 4 }, { id: 1 }, { id: 2 }]);
  });

  test('include the rows of parents that are inheriting roles themselves', async () => {
    expect(
      await rows('{ employee(order_by: { name: asc }) { id name salary note } }', wide),
    ).toEqual([
      { id: 1, name: 'Ann', salary: null, note: 'good' },
      { id: 2, name: 'Ben', salary: null, note: 'slow' },
      { id: null, name: 'Cid', salary: null, note: null },
    ]);
  });

  test("follow the inheriting role's own rule for a table, if it has one, instead of the rules of its parents", async () => {
    const own = { role: 'own_rule', variables };
    expect(await rows('{ employee { name } }', own)).toEqual([{ name: 'Cid' }]);
    expect(await rows('{ department { name } }', own)).toHaveLength(2);
  });

  test("cannot be read without the session variables that the parents' rules require", async () => {
    const answer = await gateway.ask('{ employee { name } }', {
      role: 'staff',
      variables: { 'Boss-Id': '9' },
    });
    expect(errorOf(answer)).toBe('not-found $ missing session variable: "x-gql-user-id"');
  });

  test("are limited to the largest row limit of the parents' rules", async () => {
    expect(await rows('{ employee { name } }', wide)).toHaveLength(3);
  });

  test('have nullable GraphQL types for columns that are masked in some rows', async () => {
    const query = '{ __type(name: "employee") { fields { name type { kind } } } }';
    const { fields } = (await gateway.ask(query, staff)).data.__type;
    const kinds = Object.fromEntries(
      fields.map((field: { name: string; type: { kind: string } }) => [
        field.name,
        field.type.kind,
      ]),
    );
    expect(kinds).toMatchObject({
      id: 'NON_NULL',
      name: 'NON_NULL',
      salary: 'SCALAR',
      grade: 'SCALAR',
    });
  });
});

describe('a masked column (null in rows where no parent role may read it)', () => {
  test('is null in aggregates', async () => {
    const query =
      '{ employee_aggregate { aggregate { count salaries: count(columns: [salary]) sum { salary } min { salary } max { grade } } } }';
    expect(await rows(query)).toEqual({
      aggregate: {
        count: 3,
        salaries: 1,
        sum: { salary: 400 },
        min: { salary: 400 },
        max: { grade: 1 },
      },
    });
  });

  test.each([
    ['{ salary: { _eq: 100 } }', []],
    ['{ salary: { _is_null: true } }', ['Ann', 'Ben']],
    ['{ _not: { salary: { _gt: 0 } } }', []],
    ['{ salary: { _gt: 0 } }', ['Dee']],
    ['{ yearly: { _gt: 0 } }', ['Dee']],
    ['{ department: { name: { _eq: "sales" } } }', []],
  ])('is null in the condition %s', async (where, names) => {
    const query = `{ employee(where: ${where}, order_by: { name: asc }) { name } }`;
    expect(await rows(query)).toEqual(names.map((name) => ({ name })));
  });

  test('is null in order_by', async () => {
    const query = '{ employee(order_by: [{ salary: asc_nulls_first }, { name: desc }]) { name } }';
    expect(await rows(query)).toEqual([{ name: 'Ben' }, { name: 'Ann' }, { name: 'Dee' }]);
  });

  test('is null in distinct_on', async () => {
    const query =
      '{ employee(distinct_on: [salary], order_by: [{ salary: asc }, { id: asc }]) { name } }';
    expect(await rows(query)).toEqual([{ name: 'Dee' }, { name: 'Ann' }]);
  });

  test('that is the primary key makes by_pk return null for rows where it is masked', async () => {
    const query = (id: number) => `{ employee_by_pk(id: ${id}) { name } }`;
    expect(await rows(query(3), wide)).toBeNull();
    expect(await rows(query(1), wide)).toEqual({ name: 'Ann' });
  });

  test('that is a foreign key leads to no related row where it is masked', async () => {
    const query =
      '{ employee(order_by: { name: asc }) { name department { name } reviews { stars } } }';
    expect(await rows(query)).toEqual([
      { name: 'Ann', department: null, reviews: [{ stars: 5 }] },
      { name: 'Ben', department: null, reviews: [{ stars: 3 }] },
      { name: 'Dee', department: { name: 'stock' }, reviews: [] },
    ]);
    const nested = '{ review(order_by: { id: asc }) { employee { name salary } } }';
    expect(await rows(nested, wide)).toEqual([
      { employee: { name: 'Ann', salary: null } },
      { employee: { name: 'Ben', salary: null } },
      { employee: null },
    ]);
  });

  test('makes computed fields null that need its value', async () => {
    expect(await rows('{ employee(order_by: { id: asc }) { yearly } }')).toEqual([
      { yearly: null },
      { yearly: null },
      { yearly: 4800 },
    ]);
  });
});

describe('for a role that may read no column in every row of a table', () => {
  const apart: Ask = { role: 'apart', variables };

  test('mutations offer only affected_rows, and no fields that return or find single rows', async () => {
    const query = `{ of: __type(name: "employee_mutation_response") { fields { name } }
      all: __type(name: "mutation_root") { fields { name } } }`;
    const { of, all } = (await gateway.ask(query, apart)).data;
    expect(of.fields).toEqual([{ name: 'affected_rows' }]);
    expect(all.fields.map(({ name }: { name: string }) => name)).toEqual([
      'insert_employee',
      'update_employee',
      'update_employee_many',
    ]);
  });

  test('lists return rows with masked columns, and inserts work', async () => {
    expect(await rows('{ employee(order_by: { salary: asc }) { salary note } }', apart)).toEqual([
      { salary: 400, note: null },
      { salary: null, note: 'good' },
      { salary: null, note: 'slow' },
    ]);
    const made = { id: 30, name: 'V', salary: 1, boss_id: 7 };
    const insert =
      'mutation ($made: employee_insert_input!) { insert_employee(objects: [$made]) { affected_rows } }';
    const answer = await gateway.ask(insert, { ...apart, with: { made } });
    expect(answer.data).toEqual({ insert_employee: { affected_rows: 1 } });
  });
});

test('openReader, which reads data for documents, returns to an inheriting role null in masked columns', async () => {
  const client = new pg.Client({ connectionString: gateway.gatewayUrl });
  await client.connect();
  const model = await loadModel({ metadata: gateway.folder, client, headerPrefix: 'X-Gql-' });
  await client.end();
  const { config } = parseConfig({}, tmpdir());
  const settings = { databaseUrl: gateway.gatewayUrl, config, logger: pino({ level: 'silent' }) };
  const reader = openReader({ ...settings, model: () => model });
  const role = model.roles.get('staff');
  if (!role) throw new Error('no role');
  const given = new Map([
    ['user_id', '4'],
    ['boss_id', '9'],
  ]);
  const read = await reader.read({ role, variables: given, isBackend: false }, (found) =>
    found.select({ table: 'employee', orderBy: ['id'] }),
  );
  await reader.close();
  expect(read?.map(({ name, salary, note }) => [name, salary, note])).toEqual([
    ['Ann', null, 'good'],
    ['Ben', null, 'slow'],
    ['Dee', '400', null],
  ]);
});

describe('a write rule of a parent role', () => {
  const names = async (query: string) => {
    const { fields } = (
      await gateway.ask(
        `{ __type(name: "${query}") { inputFields { name } fields { name } } }`,
        staff,
      )
    ).data.__type;
    return (fields as { name: string }[]).map(({ name }) => name);
  };

  test('is inherited if only one parent has a rule, or several parents have equal rules', async () => {
    expect(await names('mutation_root')).toEqual(
      expect.arrayContaining(['insert_employee', 'update_employee_by_pk', 'delete_employee']),
    );
  });

  test('is not inherited if several parents have different rules', async () => {
    const answer = await gateway.ask(
      'mutation { delete_employee(where: {}) { affected_rows } }',
      wide,
    );
    expect(errorOf(answer)).toMatch(
      /^validation-failed \$ no mutations exist|field 'delete_employee' not found/,
    );
  });

  test('allows _inc only on columns that the inheriting role may read in every row', async () => {
    const query = 'mutation { update_employee(where: {}, _inc: { salary: 1 }) { affected_rows } }';
    expect(errorOf(await gateway.ask(query, staff))).toMatch(/^validation-failed/);
  });

  test('allows conditions on masked columns, which are null where masked', async () => {
    const update = (where: string) =>
      rows(`mutation { update_employee(where: ${where}, _set: { note: "x" }) { affected_rows } }`);
    expect(await update('{ salary: { _eq: 100 } }')).toEqual({ affected_rows: 0 });
    expect(await update('{ salary: { _is_null: true }, id: { _eq: 2 } }')).toEqual({
      affected_rows: 1,
    });
  });

  test('allows returning, with columns masked according to the row after the write', async () => {
    const query = `mutation { update_employee(where: { id: { _eq: 1 } }, _set: { note: "best", salary: 150 }) {
      affected_rows returning { name salary note yearly department { name } reviews { stars } } } }`;
    expect(await rows(query)).toEqual({
      affected_rows: 1,
      returning: [
        {
          name: 'Ann',
          salary: null,
          note: 'best',
          yearly: null,
          department: null,
          reviews: [{ stars: 5 }],
        },
      ],
    });
  });

  test('allows returning of deleted rows, with columns masked as before the deletion', async () => {
    const make = `mutation { insert_employee(objects: [
      { id: 21, name: "U", salary: 1, note: "u", boss_id: 9 }, { id: 20, name: "T", salary: 2, note: "t", boss_id: 9 }
    ]) { affected_rows returning { id salary note } } }`;
    expect(await rows(make)).toEqual({
      affected_rows: 2,
      returning: [
        { id: 21, salary: null, note: 'u' },
        { id: 20, salary: null, note: 't' },
      ],
    });
    const remove =
      'mutation { delete_employee(where: { note: { _eq: "u" } }) { returning { name salary note } } }';
    expect(await rows(remove)).toEqual({ returning: [{ name: 'U', salary: null, note: 'u' }] });
    const one = 'mutation { delete_employee_by_pk(id: 20) { name salary note } }';
    expect(await rows(one)).toEqual({ name: 'T', salary: null, note: 't' });
  });

  test('allows an upsert whose where compares masked columns, which are null where masked', async () => {
    const upsert = (where: string) =>
      rows(`mutation { insert_employee_one(object: { id: 2, name: "Ben", salary: 0, boss_id: 9 },
        on_conflict: { constraint: employee_pkey, update_columns: [name], where: ${where} }) { name salary note } }`);
    expect(await upsert('{ salary: { _eq: 200 } }')).toBeNull();
    expect(await upsert('{ salary: { _is_null: true } }')).toMatchObject({
      name: 'Ben',
      salary: null,
    });
  });
});

describe('the Postgres role of an inheriting role, in SQL without GraphQL,', () => {
  const both = { user_id: '4', boss_id: '9' };
  const ask = (text: string, given: Readonly<Record<string, string>> = both) => {
    const role = `rowgate_${gateway.database.name}_staff`;
    return askAs(client, { role, variables: given, known: Object.keys(both) }, text);
  };
  const rowsOf = async (...given: Parameters<typeof ask>) => (await ask(...given)).rows;
  let client: pg.Client;
  let view: string;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: gateway.gatewayUrl });
    await client.connect();
    const shown = await rowsOf(
      "select table_schema || '.' || table_name from information_schema.columns where column_name = 'yearly'",
    );
    view = String(shown[0]?.[0]);
  });
  afterAll(() => client.end());

  test('can read from the table itself only the columns that it may read in every row', async () => {
    expect(await rowsOf('select id, name from public.employee order by id')).toEqual([
      ['1', 'Ann'],
      ['2', 'Ben'],
      ['4', 'Dee'],
    ]);
    expect((await failureOf(ask('select salary from public.employee'))).code).toBe('42501');
    expect((await failureOf(ask('select boss_id from public.employee'))).code).toBe('42501');
  });

  test('reads masked columns from a generated view, which shows null where no parent may read the column', async () => {
    expect(await rowsOf(`select id, salary, yearly from ${view} order by id`)).toEqual([
      ['1', null, null],
      ['2', null, null],
      ['4', '400', '4800'],
    ]);
  });

  test('without a session variable still sees the rows of parents whose rules do not read this variable', async () => {
    const noted = `select id, salary, note is null from ${view} order by id`;
    expect(await rowsOf(noted, { user_id: '4' })).toEqual([['4', '400', 't']]);
    expect(await rowsOf('select id from public.employee order by id', { boss_id: '9' })).toEqual([
      ['1'],
      ['2'],
    ]);
    expect(await rowsOf('select id from public.employee', {})).toEqual([]);
  });

  test('cannot make a function in a condition receive a masked value', async () => {
    await owner.query(`create function reveal(int) returns bool language plpgsql cost 0.0001
      as $$ begin if $1 in (100, 150, 200, 300) then raise exception 'revealed %', $1; end if; return true; end $$`);
    expect(await rowsOf(`select id from ${view} where public.reveal(salary) order by id`)).toEqual([
      ['1'],
      ['2'],
      ['4'],
    ]);
  });

  test('is a member of no other Postgres role, so it cannot SET ROLE to a parent', async () => {
    expect(
      await rowsOf(`select count(*) from pg_catalog.pg_auth_members m
      join pg_catalog.pg_roles r on r.oid = m.member where r.rolname = current_user`),
    ).toEqual([['0']]);
  });
});
