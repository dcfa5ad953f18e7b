import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/http.ts';

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({ database });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function explain(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${server.url}/v1/graphql/explain`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gql-admin-secret': server.adminSecret,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const json = JSON.parse(await answer.text());
  return { status: answer.status, json };
}

const user = {
  'x-gql-role': 'organization_admin',
  'X-Gql-Organization-Id': '00000000-0000-4000-8000-000000000001',
};

describe('POST /v1/graphql/explain', () => {
  test('answers the SQL and the plan of each field, in the role that the body names', async () => {
    const query =
      'query q($n: Int) { a: digital_wallet(limit: $n) { id } digital_wallet_aggregate { aggregate { count } } }';
    const { status, json } = await explain({
      query: { query, variables: { n: 3 }, operationName: 'q' },
      user,
    });
    expect(status).toBe(200);
    expect(json.map(({ field }: { field: string }) => field)).toEqual([
      'a',
      'digital_wallet_aggregate',
    ]);
    expect(json[0].sql).toMatch(/^select /);
    expect(json[0].plan.join('\n')).toMatch(/organization_id|Index/);
  });

  test('explains for admin without a user', async () => {
    const { status, json } = await explain({ query: { query: '{ digital_wallet { id } }' } });
    expect([status, json.length]).toEqual([200, 1]);
  });

  test.each([
    [
      'a wrong secret',
      { query: { query: '{ digital_wallet { id } }' } },
      { 'x-gql-admin-secret': 'wrong' },
      'invalid x-gql-admin-secret',
    ],
    [
      'another role',
      { query: { query: '{ digital_wallet { id } }' } },
      { 'x-gql-role': 'accounting' },
      'admin only',
    ],
    [
      'a mutation',
      { query: { query: 'mutation { delete_digital_wallet(where: {}) { affected_rows } }' } },
      {},
      'only queries can be explained',
    ],
    [
      'an unknown field',
      { query: { query: '{ digital_wallet { nothing } }' }, user },
      {},
      "field 'nothing' not found",
    ],
    [
      'an unknown role',
      { query: { query: '{ digital_wallet { id } }' }, user: { 'x-gql-role': 'nobody' } },
      {},
      'role "nobody" does not exist',
    ],
    [
      'a user that is no object',
      { query: { query: '{ digital_wallet { id } }' }, user: ['x'] },
      {},
      'the key "user" must hold texts',
    ],
    ['no query', {}, {}, 'the key "query" not found'],
    ['no JSON', '{', {}, 'the request body'],
  ])('refuses %s', async (_name, body, headers, message) => {
    const { status, json } = await explain(body, headers);
    expect(status).toBe(400);
    expect(json.errors[0].message).toContain(message);
  });

  test('answers no GET', async () => {
    expect((await fetch(`${server.url}/v1/graphql/explain?query=x`)).status).toBe(405);
  });
});
