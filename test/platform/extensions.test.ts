import { createClient } from 'graphql-ws';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/http.ts';
import { type DemoCaller, headersOf, variablesOf } from './caller.ts';

const coins = '10000000-0000-4000-8000-0000000009a1';
const bitcoins = '10000000-0000-4000-8000-0000000009a2';
const frozen = '10000000-0000-4000-8000-0000000009a3';
const quotes = {
  holding: '60000000-0000-4000-8000-0000000009a1',
  expired: '60000000-0000-4000-8000-0000000009a2',
  accepted: '60000000-0000-4000-8000-0000000009a3',
} as const;

const rows = `
insert into public.digital_wallet (id, organization_id, user_id, label, coin, balance, usd_value, status)
  select ids.id, u.organization_id, u.id, 'test', ids.coin, ids.balance, ids.worth, ids.status
  from public."user" u, (values
    ('${coins}'::uuid, 'USDC', 1000, 1000, 'active'), ('${bitcoins}'::uuid, 'BTC', 2, 200000, 'active'),
    ('${frozen}'::uuid, 'USDC', 5000, 5000, 'locked')) as ids (id, coin, balance, worth, status)
  where u.id = 'local|alder-investor';
insert into public.otc_quote (id, organization_id, digital_wallet_id, pair, side, quantity, price, fee, currency, status, expires_at)
  select ids.id, w.organization_id, w.id, 'BTC/USD', 'sell', 1, 100000, 100, 'USD', ids.status, ids.until
  from public.digital_wallet w, (values
    ('${quotes.holding}'::uuid, 'quoted', now() + interval '1 day'),
    ('${quotes.expired}'::uuid, 'quoted', now() - interval '1 day'),
    ('${quotes.accepted}'::uuid, 'accepted', now() + interval '1 day')) as ids (id, status, until)
  where w.id = '${bitcoins}';
`;

let database: TestDatabase;
let owner: pg.Client;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectSuperuser();
  await owner.query(rows);
  server = await startTestServer({ database, plugins: true });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const cleo: DemoCaller = { by: 'alder-investor', organization: 'alder' };
const gia: DemoCaller = { by: 'birch-investor', organization: 'birch' };

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test is about
async function ask(role: string, who: DemoCaller, query: string, variables = {}): Promise<any> {
  return (await server.graphql(query, headersOf(role, variablesOf(who)), variables)).body;
}

const request = `mutation ($wallet: uuid!, $quote: uuid, $amount: numeric!) {
  requestWithdrawal(input: { digitalWalletId: $wallet, otcQuoteId: $quote, amount: $amount,
    accountHolder: "Cleo", accountLastFour: "1234", accountToken: "token" }) {
    status
    withdrawal { amount currency status digital_wallet_id account_holder }
    trade { pair side quantity status otc_quote_id }
  }
}`;
const requested = async (wallet: string, amount: number, quote?: string, who = cleo) =>
  ask('user', who, request, { wallet, amount, quote });
const refusalOf = async (...given: Parameters<typeof requested>) =>
  (await requested(...given)).errors?.[0].extensions.code;
const count = async () =>
  (
    await owner.query(
      `select (select count(*)::int from public.fiat_withdrawal_request) as withdrawals,
         (select count(*)::int from public.trade_request) as trades`,
    )
  ).rows[0];

describe('the mutation requestWithdrawal', () => {
  test('submits a withdrawal from a wallet of a stable coin, up to its balance', async () => {
    expect((await requested(coins, 600)).data.requestWithdrawal).toEqual({
      status: 'submitted',
      withdrawal: {
        ...{ amount: 600, currency: 'USD', status: 'submitted' },
        ...{ digital_wallet_id: coins, account_holder: 'Cleo' },
      },
      trade: null,
    });
    expect(await refusalOf(coins, 400.01)).toBe('insufficient-balance');
    expect((await requested(coins, 400)).data.requestWithdrawal.status).toBe('submitted');
  });

  test('sells a coin that is not a stable coin at a valid quote and withdraws the proceeds', async () => {
    expect((await requested(bitcoins, 99_900, quotes.holding)).data.requestWithdrawal).toEqual({
      status: 'submitted',
      withdrawal: {
        ...{ amount: 99_900, currency: 'USD', status: 'submitted' },
        ...{ digital_wallet_id: null, account_holder: 'Cleo' },
      },
      trade: {
        ...{ pair: 'BTC/USD', side: 'sell', quantity: 1, status: 'submitted' },
        otc_quote_id: quotes.holding,
      },
    });
  });

  test.each([
    ['without a quote for a coin that is not stable', 'quote-needed', bitcoins, 1, undefined],
    ['at an expired quote', 'quote-expired', bitcoins, 1, quotes.expired],
    ['at a quote that was already accepted', 'quote-expired', bitcoins, 1, quotes.accepted],
    [
      'of more than the proceeds of the sale',
      'insufficient-balance',
      bitcoins,
      99_900.01,
      quotes.holding,
    ],
    ['from a locked wallet', 'wallet-not-active', frozen, 1, undefined],
    ['of nothing', 'constraint-violation', coins, 0, undefined],
  ])('is refused %s and creates no row', async (_what, code, wallet, amount, quote) => {
    const before = await count();
    expect(await refusalOf(wallet, amount, quote)).toBe(code);
    expect(await count()).toEqual(before);
  });

  test('does not find wallets and quotes of other people, not even of the same organization', async () => {
    const before = await count();
    expect(await refusalOf(coins, 1, undefined, gia)).toBe('not-found');
    const colleague: DemoCaller = { by: 'alder-cardholder', organization: 'alder' };
    expect(await refusalOf(coins, 1, undefined, colleague)).toBe('not-found');
    expect(await refusalOf(bitcoins, 1, '60000000-0000-4000-8000-000000000103')).toBe('not-found');
    expect(await count()).toEqual(before);
  });

  test('leaves no rows when another field of the same operation fails', async () => {
    const before = await count();
    const query = request.replace(
      /\}$/,
      'delete_fiat_withdrawal_request(where: {}) { affected_rows } insert_trade_request_one(object: { quantity: -1 }) { id } }',
    );
    const variables = { wallet: bitcoins, amount: 1, quote: quotes.holding };
    expect((await ask('user', cleo, query, variables)).errors[0].extensions.code).toBe(
      'constraint-violation',
    );
    expect(await count()).toEqual(before);
  });

  test.each(['organization_admin', 'accounting', 'trader', 'organization_member'])(
    'is missing in the schema of %s, whose rules do not allow it',
    async (role) => {
      const { errors } = await ask(role, cleo, request, { wallet: coins, amount: 1 });
      expect(errors[0].message).toMatch(/field 'requestWithdrawal' not found|no mutations exist/);
    },
  );
});

describe('the query portfolioSummary', () => {
  const query = `{ portfolioSummary {
    totalUsd coins { coin wallets balance usdValue } funds { amount subscriptions fund { name currency } }
  } }`;
  const summary = async (role: string, who: DemoCaller) =>
    (await ask(role, who, query)).data.portfolioSummary;
  // The role user has no rule on funds, so its schema lacks the relationship to them.
  const ownSummary = async (who: DemoCaller) =>
    (await ask('user', who, query.replace('fund { name currency }', ''))).data.portfolioSummary;

  test('sums the wallets of the caller only', async () => {
    const own = await ownSummary(cleo);
    expect(own.coins).toEqual([
      { coin: 'BTC', wallets: 1, balance: 2, usdValue: 200000 },
      { coin: 'USDC', wallets: 2, balance: 6000, usdValue: 6000 },
      { coin: 'ETH', wallets: 1, balance: 1e-18, usdValue: 0 },
    ]);
    expect([own.totalUsd, own.funds]).toEqual([206000, []]);
    const { coins: others } = await ownSummary(gia);
    expect(others).toEqual([{ coin: 'ETH', wallets: 1, balance: 1.75, usdValue: 5250.25 }]);
    const unknown = { by: 'nobody', organization: 'alder' } as const;
    expect(await ownSummary(unknown)).toEqual({ totalUsd: 0, coins: [], funds: [] });
  });

  test("sums the caller's subscriptions to funds that the role may see", async () => {
    const funds = await summary('investor', { ...cleo, funds: [1] });
    expect(funds).toEqual({
      ...{ totalUsd: 0, coins: [] },
      funds: [
        { amount: 250000, subscriptions: 1, fund: { name: 'Cedar Growth', currency: 'USD' } },
      ],
    });
    expect((await summary('shareholder', cleo)).funds).toEqual([
      { amount: 250000, subscriptions: 1, fund: { name: 'Cedar Growth', currency: 'USD' } },
      { amount: 100000.5, subscriptions: 1, fund: { name: 'Cedar Income', currency: 'EUR' } },
    ]);
  });

  test('sums the whole organization for a family office, without funds that the role may not see', async () => {
    const { totalUsd, funds } = await summary('family_office', { organization: 'birch' });
    expect(totalUsd).toBe(335250.25);
    // The role may not see funds of other organizations.
    expect(funds).toEqual([{ amount: 500000, subscriptions: 1, fund: null }]);
  });

  test('returns the same sums in the dialect of PostGraphile', async () => {
    const response = await server.fetch('/graphql', {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'X-Gql-Admin-Secret': server.adminSecret },
        ...headersOf('user', variablesOf(gia)),
      },
      body: JSON.stringify({ query: '{ portfolioSummary { totalUsd coins { coin balance } } }' }),
    });
    expect(await response.json()).toEqual({
      data: {
        portfolioSummary: {
          totalUsd: '5250.25',
          coins: [{ coin: 'ETH', balance: '1.750000000000000000' }],
        },
      },
    });
  });
});

describe('custom fields over a WebSocket', () => {
  const open = () =>
    createClient({
      url: `${server.url.replace(/^http/, 'ws')}/v1/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: {
        headers: {
          'X-Gql-Admin-Secret': server.adminSecret,
          ...headersOf('user', variablesOf(cleo)),
        },
      },
    });
  async function once(query: string, variables = {}): Promise<unknown> {
    const client = open();
    try {
      for await (const answer of client.iterate({ query, variables })) return answer;
      return undefined;
    } finally {
      await client.dispose();
    }
  }

  test('are answered together with table fields in one operation, and refuse the same calls as over HTTP', async () => {
    expect(
      await once(
        '{ digital_wallet_aggregate { aggregate { count } } portfolioSummary { totalUsd } }',
      ),
    ).toEqual({
      data: {
        digital_wallet_aggregate: { aggregate: { count: 4 } },
        portfolioSummary: { totalUsd: 206000 },
      },
    });
    expect(
      await once(request, { wallet: bitcoins, amount: 1, quote: quotes.holding }),
    ).toMatchObject({ data: { requestWithdrawal: { trade: { quantity: 1 } } } });
    const refused = once(request, { wallet: frozen, amount: 1 }).catch((error: unknown) => error);
    expect(await refused).toMatchObject([{ extensions: { code: 'wallet-not-active' } }]);
  });

  test('are refused in a subscription', async () => {
    const refused = once('subscription { portfolioSummary { totalUsd } }');
    expect(JSON.stringify(await refused.catch((error: unknown) => error))).toContain(
      'validation-failed',
    );
  });
});
