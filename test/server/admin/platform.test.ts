import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { query } from '../../support/query.ts';
import { Browser } from '../platform/accounts/support/browser.ts';
import { type LocalIssuer, startLocalIssuer } from '../platform/accounts/support/local-issuer.ts';

const boss = 'local|cedar-admin';

let database: TestDatabase;
let issuer: LocalIssuer;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  issuer = await startLocalIssuer();
  const { environment } = issuer;
  server = await startTestServer({ database, rest: true, environment });
  await query(
    database.superuserUrl,
    `update public."user" set platform_admin = true where id = '${boss}'`,
  );
});
afterAll(async () => {
  await server.stop();
  await issuer.stop();
  await database.drop();
});

const body = JSON.stringify({
  ...{ role: 'organization_admin', table: 'digital_wallet', operation: 'select' },
  ...{ key: { id: '00000000-0000-4000-8000-00000000dead' } },
});
const json = { 'content-type': 'application/json', 'x-rowgate-actor': 'Ada' };

test('a server of the platform explains access to holders of the admin secret', async () => {
  const answer = await server.fetch('/admin/explain/access', {
    ...{ method: 'POST', body },
    headers: { ...json, 'x-gql-admin-secret': server.adminSecret },
  });
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { allowed: false, reasons: ['public.digital_wallet has no row with this key'] },
  ]);
});

test('the session and the token of an admin of the platform open no endpoint for holders of the admin secret', async () => {
  const browser = new Browser(server);
  const token = await issuer.tokenFor(boss);
  await browser.exchange(token);
  const post = (headers: Readonly<Record<string, string>>) =>
    browser.fetch('/admin/explain/access', { method: 'POST', body, headers });
  const answers = [await post(json), await post({ ...json, authorization: `Bearer ${token}` })];
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
});

const peopleLike = async (search: string) => {
  const answer = await server.fetch('/admin/as/people', {
    ...{ method: 'POST', body: JSON.stringify({ search }) },
    headers: { ...json, 'x-gql-admin-secret': server.adminSecret },
  });
  return JSON.parse(await answer.text()).people;
};

test('people are found by a part of their name, id or address, with their roles and session variables', async () => {
  const [found, ...others] = await peopleLike('GIL dog');
  expect([found.name, others]).toEqual(['investor@dogwood.example (local|dogwood-investor)', []]);
  expect(found.callers).toContainEqual({
    role: 'investor',
    sessionVariables: expect.objectContaining({
      'X-Gql-User-Id': 'local|dogwood-investor',
      'X-Gql-Allowed-Funds': expect.stringContaining('40000000-0000-4000-8000-000000000005'),
    }),
  });
  expect(await peopleLike('investor@dogwood')).toEqual([found]);
  expect(await peopleLike('%')).toEqual([]);
  expect(await peopleLike('local|')).toHaveLength(20);
});

test('disabled people are not found', async () => {
  await query(
    database.superuserUrl,
    `update public."user" set status = 'disabled' where id = 'local|dogwood-investor'`,
  );
  expect(await peopleLike('dogwood-investor')).toEqual([]);
});
