import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { headersOf, variablesOf } from '../../../../platform/caller.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { type MailServer, startMailServer } from '../../../mail/support/smtp.ts';
import type { Row } from './support/payload.ts';

// The tests follow a change through the whole server: GraphQL or SQL, capture, relay, delivery,
// endpoint, changed rows, and mail at a mail server.

const alder = '00000000-0000-4000-8000-000000000001';
let database: TestDatabase;
let server: TestServer;
let mailServer: MailServer;
let owner: pg.Client;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  mailServer = await startMailServer();
  owner = await database.connectOwner();
  server = await startTestServer({
    database,
    rest: true,
    worker: true,
    environment: {
      ROWGATE_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}?tls=off`,
      ROWGATE_MAIL_FROM: 'platform@elm.example',
    },
  });
});
afterAll(async () => {
  await server.stop();
  await mailServer.stop();
  await database.drop();
});

/** Runs a mutation as a person of the demo data, in this role. */
async function write(role: string, by: string, mutation: string): Promise<void> {
  const headers = headersOf(role, variablesOf({ by, organization: 'alder' }));
  const { body } = await server.graphql(
    `mutation { written: ${mutation} { affected_rows } }`,
    headers,
  );
  expect(body).toEqual({ data: { written: { affected_rows: 1 } } });
}

function setStatus(table: string, id: string, status: string, more = ''): string {
  return `update_${table}(where: { id: { _eq: "${id}" } }, _set: { status: "${status}" ${more} })`;
}

/** Repeats the statement until it returns this row. */
function comes(row: Row, text: string, ...values: readonly unknown[]): Promise<void> {
  return vi.waitFor(
    async () => expect((await owner.query(text, [...values])).rows).toEqual([row]),
    { timeout: 20_000, interval: 50 },
  );
}

/** Waits until the mail server has received a mail to this address with this subject. */
function mailed(address: string, subject: string | RegExp): Promise<void> {
  return vi.waitFor(
    () => {
      const subjects = mailServer.received
        .filter(({ recipients }) => recipients.includes(address))
        .map(({ email }) => email.subject);
      expect(subjects).toContainEqual(expect.stringMatching(subject));
    },
    { timeout: 20_000, interval: 50 },
  );
}

async function insert(table: string, values: Row): Promise<string> {
  const id = randomUUID();
  const columns = ['id', 'organization_id', ...Object.keys(values)];
  const places = columns.map((_column, index) => `$${index + 1}`);
  await owner.query(`insert into public.${table} (${columns}) values (${places})`, [
    id,
    alder,
    ...Object.values(values),
  ]);
  return id;
}

function wallet(values: Row = {}): Promise<string> {
  return insert('digital_wallet', {
    label: 'Chain',
    coin: 'BTC',
    status: 'active',
    balance: 10,
    ...values,
  });
}

const balance =
  'select trim_scale(balance)::text as balance from public.digital_wallet where id = $1';
const statusIn = (table: string) => `select status from public.${table} where id = $1`;
const notificationsTo = 'select title from public.notification where user_id = $1 and title = $2';

test('a person whom an organization adds gets wallets and a welcome mail', async () => {
  const email = 'newcomer@alder.example';
  await write(
    'client_user_admin',
    'birch-people',
    `insert_user(objects: [{ email: "${email}", full_name: "Noor Alder" }])`,
  );
  await comes(
    { coins: 'BTC ETH USDC' },
    `select string_agg(w.coin, ' ' order by w.coin) as coins from public.digital_wallet w
     join public."user" u on u.id = w.user_id where u.email = $1`,
    email,
  );
  await mailed(email, /^Welcome to Rowgate/);
});

test('a payment that the accounting role confirms causes a receipt and a mail with it', async () => {
  const bill = await insert('invoice', { total: 300, status: 'issued', invoice_number: 'CHAIN-1' });
  const payment = await insert('invoice_payment', {
    invoice_id: bill,
    amount: 300,
    created_by: 'local|cedar-finance',
  });
  await write('accounting', 'alder-finance', setStatus('invoice_payment', payment, 'confirmed'));
  await comes({ status: 'paid' }, statusIn('invoice'), bill);
  await mailed('admin@alder.example', /^Receipt REC-.* for US\$300\.00$/);
});

test('a trade request is carried out from its approval to the change of the balance', async () => {
  const walletId = await wallet();
  const quote = await insert('otc_quote', { quantity: 2, price: 100, status: 'quoted' });
  const trade = await insert('trade_request', {
    digital_wallet_id: walletId,
    otc_quote_id: quote,
    quantity: 2,
    status: 'submitted',
    created_by: 'local|alder-admin',
  });
  await write('front_office', 'cedar-desk', setStatus('trade_request', trade, 'approved'));
  await comes({ status: 'accepted' }, statusIn('otc_quote'), quote);
  const executed = 'executed_quantity: 2, executed_price: 100, executed_at: "2026-01-05T10:00:00Z"';
  await write('trader', 'birch-trader', setStatus('trade_request', trade, 'executed', executed));
  const settlement =
    'select status, amount from public.trade_settlement where trade_request_id = $1';
  await comes({ status: 'pending', amount: '200.00' }, settlement, trade);
  const entered = 'select id from public.trade_settlement where trade_request_id = $1';
  const found = await owner.query(entered, [trade]);
  const { id } = found.rows[0];
  await write('trader', 'birch-trader', setStatus('trade_settlement', id, 'processing'));
  await write('trader', 'birch-trader', setStatus('trade_settlement', id, 'settled'));
  await comes({ balance: '12' }, balance, walletId);
  await comes({ status: 'settled' }, statusIn('trade_request'), trade);
  await comes({ status: 'settled' }, statusIn('otc_quote'), quote);
});

const notifiedRole = `select count(*) > 0 as notified from public.notification n
  join public.user_role r on r.user_id = n.user_id where r.role = $1 and n.title = $2 and position($3 in n.body) > 0`;

test('a trade request that the desk inserts is reported to the people who may approve it', async () => {
  const row = `organization_id: "${alder}", pair: "BTC/USD", quantity: "0.57721", currency: "USD"`;
  await write('front_office', 'cedar-desk', `insert_trade_request(objects: [{ ${row} }])`);
  const title = 'A trade request waits for approval';
  await comes({ notified: true }, notifiedRole, 'front_office', title, '0.57721');
});

test.each(['deposit', 'withdrawal'])(
  'a %s that is inserted is reported to the accounting role',
  async (kind) => {
    await insert(`fiat_${kind}_request`, { amount: '577.21', status: 'submitted' });
    await comes(
      { notified: true },
      notifiedRole,
      'accounting',
      `A ${kind} waits for approval`,
      '577.21',
    );
  },
);

test('a deposit is carried out from the mail with its reference to the change of the balance', async () => {
  const walletId = await wallet({ coin: 'USDC' });
  const deposit = await insert('fiat_deposit_request', {
    digital_wallet_id: walletId,
    amount: '90.25',
    status: 'submitted',
    created_by: 'local|alder-admin',
  });
  await write(
    'accounting',
    'birch-finance',
    setStatus('fiat_deposit_request', deposit, 'approved'),
  );
  await mailed('admin@alder.example', 'Please transfer the money of your deposit');
  await owner.query(`update public.fiat_deposit_request set status = 'received' where id = $1`, [
    deposit,
  ]);
  await comes({ balance: '100.25' }, balance, walletId);
  await comes({ status: 'completed' }, statusIn('fiat_deposit_request'), deposit);
  await mailed('admin@alder.example', 'Your deposit is credited');
});

test('an approved withdrawal is carried out, and the balance decreases by the paid amount', async () => {
  const walletId = await wallet({ coin: 'USDC' });
  const withdrawal = await insert('fiat_withdrawal_request', {
    digital_wallet_id: walletId,
    amount: '7.75',
    status: 'submitted',
    created_by: 'local|alder-admin',
  });
  await write(
    'accounting',
    'birch-finance',
    setStatus('fiat_withdrawal_request', withdrawal, 'approved'),
  );
  await comes({ status: 'processing' }, statusIn('fiat_withdrawal_request'), withdrawal);
  await owner.query(
    `update public.fiat_withdrawal_request set status = 'completed' where id = $1`,
    [withdrawal],
  );
  await comes({ balance: '2.25' }, balance, walletId);
  await mailed('admin@alder.example', 'Your withdrawal was paid out');
});

test("a person whom compliance approves is notified, and the person's trade on hold continues", async () => {
  const person = `local|${randomUUID()}`;
  await owner.query(
    `insert into public."user" (id, organization_id, email) values ($1, $2, $1 || '@alder.example')`,
    [person, alder],
  );
  const profile = await insert('kyc_profile', { user_id: person, status: 'in_review' });
  const trade = await insert('trade_request', {
    user_id: person,
    quantity: 1,
    status: 'locked',
    status_reason: 'Verification rejected',
  });
  await write('compliance', 'alder-compliance', setStatus('kyc_profile', profile, 'approved'));
  await comes({ title: 'You are verified' }, notificationsTo, person, 'You are verified');
  await comes({ status: 'submitted' }, statusIn('trade_request'), trade);
});

test('when compliance locks a wallet, its open trade requests are locked too', async () => {
  // The wallet needs a person, because compliance may only lock wallets of known people.
  const walletId = await wallet({ user_id: 'local|alder-investor' });
  const trade = await insert('trade_request', {
    digital_wallet_id: walletId,
    quantity: 1,
    status: 'submitted',
  });
  await write('compliance', 'alder-compliance', setStatus('digital_wallet', walletId, 'locked'));
  await comes({ status: 'locked' }, statusIn('trade_request'), trade);
});

test('a transaction that is booked by SQL changes the balance, and the owner of the coins is notified', async () => {
  const walletId = await wallet({ user_id: 'local|alder-cardholder' });
  await insert('asset_transaction', {
    digital_wallet_id: walletId,
    coin: 'BTC',
    amount: '0.00000001',
    status: 'confirmed',
  });
  await comes({ balance: '10.00000001' }, balance, walletId);
  const title = '0.00000001 BTC came in';
  await comes({ title }, notificationsTo, 'local|alder-cardholder', title);
});

test("when a person is deleted by SQL, the person's wallets are archived", async () => {
  const person = `local|${randomUUID()}`;
  await owner.query(
    `insert into public."user" (id, organization_id, email) values ($1, $2, $1 || '@alder.example')`,
    [person, alder],
  );
  const count = 'select count(*)::integer as count from public.digital_wallet where user_id = $1';
  await comes({ count: 3 }, count, person);
  const wallets = 'select id from public.digital_wallet where user_id = $1';
  const { rows } = await owner.query(wallets, [person]);
  await owner.query('delete from public."user" where id = $1', [person]);
  await comes(
    { statuses: 'archived archived archived' },
    `select string_agg(status, ' ') as statuses from public.digital_wallet where id = any ($1)`,
    rows.map(({ id }) => id),
  );
});

test('an invalid change of a status is refused, and causes no event', async () => {
  const trade = await insert('trade_request', { quantity: 1, created_by: 'local|alder-admin' });
  const { body } = await server.graphql(
    `mutation { ${setStatus('trade_request', trade, 'settled')} { affected_rows } }`,
  );
  expect(body.errors[0].extensions.code).toBe('constraint-violation');
  const { rowCount } = await owner.query(
    `select from rowgate_events.event where data -> 'new' ->> 'id' = $1 and op <> 'INSERT'`,
    [trade],
  );
  expect(rowCount).toBe(0);
});

test('a wallet whose label has the maximum length is processed', async () => {
  const id = await wallet({ label: 'a'.repeat(700_000) });
  const request = await insert('trade_request', {
    digital_wallet_id: id,
    quantity: 1,
    status: 'submitted',
  });
  await owner.query('update public.digital_wallet set label = $2 where id = $1', [
    id,
    'b'.repeat(700_000),
  ]);
  await owner.query(`update public.digital_wallet set status = 'locked' where id = $1`, [id]);
  await comes({ status: 'locked' }, statusIn('trade_request'), request);
});
