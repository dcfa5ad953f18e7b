import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';
import { paths, type Sender, secrets, signed } from './support/callback-world.ts';
import { custodyPayload, kycPayload, logRecord } from './support/payloads.ts';

// The whole platform runs in one process. A provider's callback changes rows, the change causes an event, and the event
// causes a notification.
let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({
    database,
    rest: true,
    worker: true,
    logger: pino({ level: 'silent' }),
    environment: {
      ROWGATE_CUSTODY_WEBHOOK_SECRET: secrets.custody,
      ROWGATE_KYC_WEBHOOK_SECRET: secrets.kyc,
      ROWGATE_IDP_LOG_ALLOWLIST: '127.0.0.1',
    },
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function post(sender: Sender, payload: object): Promise<number> {
  const body = Buffer.from(JSON.stringify(payload));
  const response = await server.fetch(paths[sender], {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...signed(sender, body) },
    body: new Uint8Array(body),
  });
  return response.status;
}

/** Repeats the query until it returns rows, and returns them. */
function rowsOf(text: string): Promise<readonly unknown[]> {
  return vi.waitFor(
    async () => {
      const rows = await query(database.superuserUrl, text);
      expect(rows).not.toEqual([]);
      return rows;
    },
    { timeout: 30_000, interval: 100 },
  );
}

const notificationsOf = (user: string) =>
  rowsOf(
    `select title from public.notification
     where user_id = '${user}' and created_at > now() - interval '1 hour' order by created_at`,
  );

test('a transfer that awaits approval is reported to the people who may approve it', async () => {
  const payload = { type: 'withdrawal', state: 'pending_approval', amount: '0.5' };
  expect(await post('custody', custodyPayload(payload))).toBe(202);
  expect(await notificationsOf('local|birch-trader')).toEqual([
    { title: 'A transaction waits for approval' },
  ]);
});

test('a deposit that arrived before its wallet was known is booked once the wallet is linked over GraphQL', async () => {
  const payload = custodyPayload({ walletId: 'cw-graphql', transfer: 'graphql', amount: '0.25' });
  expect(await post('custody', payload)).toBe(202);
  const unmatched = `select note from rowgate_webhooks.inbox where state = 'unmatched'`;
  expect(await rowsOf(unmatched)).toEqual([{ note: 'no wallet has this walletId' }]);
  const linked = await server.graphql(
    `mutation { update_digital_wallet_by_pk(
       pk_columns: {id: "10000000-0000-4000-8000-000000000201"}, _set: {custody_wallet_id: "cw-graphql"}
     ) { id } }`,
    { 'X-Gql-Role': 'digital_wallets_admin' },
  );
  expect(linked.body).toMatchObject({
    data: { update_digital_wallet_by_pk: { id: expect.stringMatching(/^1/) } },
  });
  expect(
    await rowsOf(
      `select status, counted_at is not null as counted from public.asset_transaction
       where custody_transfer_id = 'graphql' and counted_at is not null`,
    ),
  ).toEqual([{ status: 'confirmed', counted: true }]);
});

test('a callback with the result of a verification notifies the person', async () => {
  expect(await post('kyc', kycPayload())).toBe(202);
  expect(await notificationsOf('local|alder-member')).toEqual([{ title: 'You are verified' }]);
});

test('five failed sign-ins of a person cause a mail', async () => {
  const logs = [1, 2, 3, 4, 5].map((n) =>
    logRecord(`chain-${n}`, 'fp', { user_id: 'local|birch-member' }),
  );
  expect(
    await server
      .fetch(paths.identity, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(logs),
      })
      .then(({ status }) => status),
  ).toBe(202);
  expect(
    await rowsOf(
      `select recipient, subject from rowgate_mail.outbox where recipient like '%birch%'`,
    ),
  ).toEqual([
    { recipient: 'member@birch.example', subject: 'Several attempts to sign in as you failed' },
  ]);
});

test('the API documentation describes how each provider authenticates its callbacks', async () => {
  const document = (await (await server.fetch('/openapi.json')).json()) as {
    readonly paths: Record<string, { readonly post: { readonly security: unknown } }>;
  };
  const security = Object.values(paths).map((path) => document.paths[path]?.post.security);
  expect(security).toEqual([
    [{ custodySignature: [] }],
    [{ cardSignature: [] }],
    [{ kycDigest: [] }],
    [],
  ]);
});
