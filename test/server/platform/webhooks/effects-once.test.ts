import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { resolveLogin } from '../../../../server/db/logins/logins.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../../../support/http.ts';
import { endPrograms } from '../../../support/program.ts';
import { startWorkerBeside, startWorkerProcess } from '../../events/support/captured-things.ts';

const alder = '00000000-0000-4000-8000-000000000001';
const holder = 'local|alder-member';
const wallets = 10;
const perWallet = 40;

let database: TestDatabase;
let front: TestServer;
let survivor: { close(): Promise<void> } | undefined;
/** A lasting connection of the superuser, because connecting takes longer than the queries. */
let watcher: pg.Client;

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  front = await startTestServer({ database, rest: true, graphql: false });
  watcher = await database.connectSuperuser();
});

afterAll(async () => {
  await endPrograms();
  await survivor?.close();
  await front.stop();
  await database.drop();
});

async function read(statement: string): Promise<unknown> {
  return (await watcher.query(statement)).rows[0];
}

const insertWallets = `insert into public.digital_wallet (organization_id, user_id, label, coin, status)
  select '${alder}', '${holder}', 'once ' || n, 'XRP', 'active' from generate_series(1, ${wallets}) n`;
const insertTransactions = `insert into public.asset_transaction
    (organization_id, digital_wallet_id, kind, direction, coin, amount, status, confirmed_at)
  select w.organization_id, w.id, 'deposit', 'in', 'XRP', 0.1, 'confirmed', now()
  from public.digital_wallet w, generate_series(1, ${perWallet}) where w.label like 'once %'`;
const delivered =
  'select count(*)::int as events from rowgate_events.event where delivered_at is not null';

test('two workers, one of them killed, deliver 400 changes that each have their effect once', async () => {
  const login = await resolveLogin(front.config, database.ownerUrl, 'sidecar');
  const place = [{ database, login }, platformMetadata, front.url] as const;
  const first = await startWorkerProcess(...place);
  survivor = await startWorkerBeside(...place);
  await watcher.query(insertWallets);
  await watcher.query(insertTransactions);
  await vi.waitFor(
    async () => expect(await read(`${delivered} having count(*) >= 50`)).toBeDefined(),
    { timeout: 30_000, interval: 10 },
  );
  await first.end('SIGKILL');

  await vi.waitFor(
    async () => expect(await read(delivered)).toEqual({ events: wallets * perWallet }),
    { timeout: 90_000, interval: 50 },
  );
  expect(
    await read(`select count(*)::int as wallets, min(balance)::float as least, max(balance)::float as most
      from public.digital_wallet where label like 'once %'`),
  ).toEqual({ wallets, least: perWallet / 10, most: perWallet / 10 });
  expect(
    await read(`select count(*)::int as notified from public.notification
      where user_id = '${holder}' and kind = 'transaction' and created_at > now() - interval '10 minutes'`),
  ).toEqual({ notified: wallets * perWallet });
}, 150_000);
