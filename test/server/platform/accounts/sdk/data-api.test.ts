import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { revokeApiKey } from '../../../../../server/platform/accounts/api-keys/key-store.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { type StoredKey, storeKey } from '../api-keys/stored-key.ts';

const alder = '00000000-0000-4000-8000-000000000001';
const userId = 'local|alder-investor';
const ownWallets = '{ digital_wallet { user_id } }';
const ownProfiles = '{ kyc_profile { user_id } }';

let database: TestDatabase;
let owner: pg.Client;
let server: TestServer;
let key: StoredKey;
let workflow: string;
let kyc: string;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectOwner();
  server = await startTestServer({
    database,
    rest: true,
    environment: { ROWGATE_TOKEN_RATE: '100000' },
  });
});
beforeEach(async () => {
  await owner.query('update public."user" set status = \'active\'');
  key = await storeKey(owner);
  workflow = await issue('workflow', { userId, organizationId: alder });
  kyc = await issue('kyc', { userId });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function issue(kind: 'workflow' | 'kyc', body: unknown): Promise<string> {
  const response = await server.fetch(`/auth/${kind}-sdk/init-token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key.text },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { token: string }).token;
}

/** Sends a GraphQL request with each of these values as a separate Authorization header line. */
async function ask(
  query: string,
  authorization: readonly string[],
  headers: Readonly<Record<string, string>> = {},
) {
  const request = httpRequest(`${server.url}/v1/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: authorization as string[],
      ...headers,
    },
  });
  request.end(JSON.stringify({ query }));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
  return (await json(response)) as any;
}

const bearer = (token: string) => [`Bearer ${token}`];

async function code(query: string, token: string, headers?: Readonly<Record<string, string>>) {
  return (await ask(query, bearer(token), headers)).errors?.[0]?.extensions.code;
}

describe('the data API with an SDK token', () => {
  test("shows a workflow SDK only rows of the token's person", async () => {
    const { data } = await ask(ownWallets, bearer(workflow));
    expect(data.digital_wallet.length).toBeGreaterThan(0);
    for (const row of data.digital_wallet) {
      expect(row).toEqual({ user_id: userId });
    }
  });

  test("shows a KYC SDK only the profile of the token's person", async () => {
    expect(await ask(ownProfiles, bearer(kyc))).toEqual({
      data: { kyc_profile: [{ user_id: userId }] },
    });
  });

  test('accepts a role header that names the role of the token', async () => {
    const headers = { 'X-Gql-Role': 'kyc_sdk_user' };
    expect((await ask(ownProfiles, bearer(kyc), headers)).errors).toBeUndefined();
  });

  test('accepts the scheme Bearer in any letter case', async () => {
    expect((await ask(ownProfiles, [`bEARER ${kyc}`])).errors).toBeUndefined();
  });

  test('offers each kind of SDK only the tables of its own role', async () => {
    expect(await code(ownWallets, kyc)).toBe('validation-failed');
    expect(await code(ownProfiles, workflow)).toBe('validation-failed');
  });
});

describe('the data API refuses', () => {
  test.each(['admin', 'workflow_sdk_user', 'organization_admin', 'nosuchrole', '', 'KYC_SDK_USER'])(
    'another role: "%s" with the token of a KYC SDK',
    async (role) => {
      const { errors } = await ask(ownProfiles, bearer(kyc), { 'X-Gql-Role': role });
      expect(errors).toMatchObject([
        {
          message: 'your requested role is not in allowed roles',
          extensions: { code: 'access-denied' },
        },
      ]);
    },
  );

  test.each([
    ['X-Gql-User-Id', 'local|birch-member'],
    ['x-gql-organization-id', '00000000-0000-4000-8000-000000000002'],
    ['X-GQL-Allowed-Funds', '{}'],
    ['X-Gql-Use-Backend-Only-Permissions', 'true'],
    ['X-Gql-Anything', ''],
  ])('the header %s beside an SDK token', async (name, value) => {
    expect(await code(ownWallets, workflow, { [name]: value })).toBe('invalid-headers');
  });

  test.each([
    ['a token that was never issued', (right: string) => right.replace(/.{8}$/, 'AAAAAAAA')],
    ['a token with the other prefix', (right: string) => right.replace('kyc_', 'wf_')],
    ['a token with a character appended', (right: string) => `${right}A`],
    ['only the prefix of a token', () => 'kyc_sdk_'],
    ['a token that contains SQL', () => "kyc_sdk_'--"],
    ['a very long token', (right: string) => right.padEnd(10_000, 'A')],
  ])('the invalid SDK token %s', async (_title, change) => {
    const { errors } = await ask(ownProfiles, bearer(change(kyc)));
    expect(errors).toMatchObject([
      { message: 'the token is not valid here', extensions: { code: 'invalid-jwt' } },
    ]);
  });

  test('two Authorization headers, with the same token or another one', async () => {
    for (const values of [bearer(kyc).concat(bearer(kyc)), ['Bearer a.b.c', `Bearer ${kyc}`]]) {
      const { errors } = await ask(ownProfiles, values);
      expect(errors[0].extensions.code).toBe('invalid-headers');
    }
  });

  test('two SDK tokens in one header', async () => {
    expect(await code(ownProfiles, `${kyc}, Bearer ${kyc}`)).toBe('invalid-jwt');
  });

  test('an SDK token older than half an hour', async () => {
    await owner.query('update rowgate_auth.sdk_token set expires_at = now()');
    expect(await code(ownProfiles, kyc)).toBe('invalid-jwt');
  });

  test('an SDK token as soon as its user is disabled', async () => {
    expect(await code(ownProfiles, kyc)).toBeUndefined();
    await owner.query('update public."user" set status = \'disabled\' where id = $1', [userId]);
    expect(await code(ownProfiles, kyc)).toBe('invalid-jwt');
  });

  test('an SDK token whose API key was revoked', async () => {
    await revokeApiKey(owner, key.id);
    expect(await code(ownProfiles, kyc)).toBe('invalid-jwt');
  });

  test('an SDK token whose API key has expired', async () => {
    await owner.query('update rowgate_auth.api_key set expires_at = now() where id = $1', [key.id]);
    expect(await code(ownProfiles, kyc)).toBe('invalid-jwt');
  });

  test('an SDK token whose user was deleted, also when a new user has the same id', async () => {
    const person = [alder, 'leaving', 'leaving@alder.example'];
    const enter = 'insert into public."user" (organization_id, id, email) values ($1, $2, $3)';
    await owner.query(enter, person);
    const token = await issue('workflow', { userId: 'leaving', organizationId: alder });
    expect(await code(ownWallets, token)).toBeUndefined();
    await owner.query('delete from public."user" where id = $1', ['leaving']);
    expect(await code(ownWallets, token)).toBe('invalid-jwt');
    await owner.query(enter, person);
    expect(await code(ownWallets, token)).toBe('invalid-jwt');
  });
});

test('the data API acts as admin when a request has the admin secret and an SDK token', async () => {
  const headers = { 'X-Gql-Admin-Secret': server.adminSecret, 'X-Gql-Role': 'kyc_sdk_user' };
  const { errors } = await ask(ownProfiles, bearer(kyc), headers);
  expect(errors).toMatchObject([{ message: 'missing session variable: "x-gql-user-id"' }]);
  expect(await code(ownProfiles, kyc, { 'X-Gql-Admin-Secret': 'wrong' })).toBe('access-denied');
});

test.each(['GET', 'DELETE'])(
  'an SDK token is no credential for %s /auth/session',
  async (method) => {
    const headers = { Authorization: `Bearer ${workflow}` };
    expect((await server.fetch('/auth/session', { method, headers })).status).toBe(401);
  },
);

test.each(['/auth/token-exchange', '/auth/wallet-provider-jwt'])(
  'an SDK token is refused by %s, which is not part of the data API',
  async (path) => {
    const headers = { Authorization: `Bearer ${workflow}` };
    expect((await server.fetch(path, { method: 'POST', headers })).status).toBe(401);
  },
);
