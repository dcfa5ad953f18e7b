import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { storeKey } from '../server/platform/accounts/api-keys/stored-key.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../support/http.ts';
import { headersOf } from './caller.ts';
import { alder } from './rules-in-force.ts';

const deletion = 'mutation ($id: String!) { delete_user_by_pk(id: $id) { id } }';
const rule = `  client_user_admin:
    delete:
      filter: { _filter: own_organization }`;

let database: TestDatabase;
let owner: pg.Client;
let server: TestServer;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  owner = await database.connectOwner();
  const metadata = path.join(inject('scratch'), `deletion-${database.name}`);
  await cp(platformMetadata, metadata, { recursive: true });
  const file = path.join(metadata, 'tables/user.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('  client_user_admin:', rule));
  server = await startTestServer({ database, metadata, rest: true });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function remove(id: string) {
  const headers = headersOf('client_user_admin', { organization_id: alder });
  return (await server.graphql(deletion, headers, { id })).body;
}

async function enter(id: string, organization: string): Promise<void> {
  await owner.query(
    `insert into public."user" (id, organization_id, email) values ($1, $2, $1 || '@x.example')`,
    [id, organization],
  );
}

test("deleting a person over GraphQL ends the person's sessions and revokes the person's tokens", async () => {
  await enter('leaver', alder);
  const key = await storeKey(owner);
  const issued = await server.fetch('/auth/workflow-sdk/init-token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key.text },
    body: JSON.stringify({ userId: 'leaver', organizationId: alder }),
  });
  const { token } = (await issued.json()) as { token: string };
  await owner.query(
    `insert into rowgate_auth.session (sid, sess, expire)
     values ('of-leaver', '{"userId": "leaver"}', now() + interval '1 hour')`,
  );
  const result = await remove('leaver');
  const refused = await server.fetch('/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ user { id } }' }),
  });
  expect(issued.status).toBe(200);
  expect(result).toEqual({ data: { delete_user_by_pk: { id: 'leaver' } } });
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'invalid-jwt' } }] });
  const { rows } = await owner.query(
    `select (select count(*)::int from rowgate_auth.session where user_id = d.id) as sessions,
       (select count(*)::int from rowgate_auth.sdk_token where user_id = d.id) as tokens
     from rowgate_auth.departed_user d where d.id = 'leaver'`,
  );
  expect(rows).toEqual([{ sessions: 0, tokens: 0 }]);
});

test('a role with a delete rule cannot delete a person of another organization', async () => {
  await enter('stranger', '00000000-0000-4000-8000-000000000002');
  expect(await remove('stranger')).toEqual({ data: { delete_user_by_pk: null } });
  expect((await owner.query(`select from public."user" where id = 'stranger'`)).rowCount).toBe(1);
});

test('deleting a person to whom other rows refer is refused, and the error does not name those rows', async () => {
  const body = await remove('local|alder-investor');
  expect(body.errors).toEqual([
    {
      message: 'Foreign key violation. a row is referred to, or refers to one that is not there',
      extensions: { path: '$', code: 'constraint-violation' },
    },
  ]);
});
