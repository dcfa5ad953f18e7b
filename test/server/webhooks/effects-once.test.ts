import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { resolveLogin } from '../../../server/db/logins.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../../support/http.ts';
import { endPrograms } from '../../support/program.ts';
import { query } from '../../support/query.ts';
import { startWorkerProcess } from '../events/support/captured-things.ts';

const alder = '00000000-0000-4000-8000-000000000001';
const holder = 'local|alder-member';
const wallets = 20;
const perWallet = 100;

let database: TestDatabase;
let front: TestServer;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  front = await startTestServer({ database, rest: true });
});

afterAll(async () => {
  await endPrograms();
  await front.stop();
  await database.drop();
});

async function read(statement: string): Promise<unknown> {
  const [row] = await query(database.superuserUrl, statement);
  return row;
}

const insertWallets = `insert into public.digital_wallet (organization_id, user_id, label, coin, status)
  select '${alder}', '${holder}', 'once ' || n, 'XRP', 'active' from generate_series(1, ${wallets}) n`;
const insertTransactions = `insert into public.asset_transaction
    (organization_id, digital_wallet_id, kind, direction, coin, amount, status, confirmed_at)
  select w.organization_id, w.id, 'deposit', 'in', 'XRP', 0.1, 'confirmed', now()
  from public.digital_wallet w, generate_series(1, ${perWallet}) where w.label like 'once %'`;
const delivered =
  'select count(*)::int as events from rowgate_events.event where delivered_at is not null';

test('of 2,000 changes, delivered by two workers of which one is killed, each has its effect once', async () => {
  const login = await resolveLogin(front.config, database.ownerUrl, 'sidecar');
  const start = () => startWorkerProcess({ database, login }, platformMetadata, front.url);
  const [first] = await Promise.all([start(), start()]);
  await query(database.superuserUrl, insertWallets);
  await query(database.superuserUrl, insertTransactions);
  await vi.waitFor(
    async () => expect(await read(`${delivered} having count(*) >= 300`)).toBeDefined(),
    { timeout: 30_000, interval: 20 },
  );
  await first.end('SIGKILL');

  await vi.waitFor(
    async () => expect(await read(delivered)).toEqual({ events: wallets * perWallet }),
    { timeout: 90_000, interval: 100 },
  );
  expect(
    await read(`select count(*)::int as wallets, min(balance)::float as least, max(balance)::float as most
      from public.digital_wallet where label like 'once %'`),
  ).toEqual({ wallets, least: 10, most: 10 });
  expect(
    await read(`select count(*)::int as told from public.notification
      where user_id = '${holder}' and kind = 'transaction' and created_at > now() - interval '10 minutes'`),
  ).toEqual({ told: wallets * perWallet });
}, 150_000);
