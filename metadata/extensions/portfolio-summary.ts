import { loadOneWithPgClient, type PgClient } from 'postgraphile/@dataplan/pg';
import { constant } from 'postgraphile/grafast';
import { extendSchema, gql } from 'postgraphile/utils';

interface CoinHolding {
  readonly coin: string;
  readonly wallets: number;
  readonly balance: string;
  readonly usdValue: string;
}

interface FundHolding {
  readonly fundId: string;
  readonly subscriptions: number;
  readonly amount: string;
}

/**
 * `portfolioSummary` returns the totals of the caller's wallets by coin and of fund subscriptions. It reads only rows
 * that the caller's role may see. A role without access to one of the tables gets an empty list.
 */
export const PortfolioSummaryPlugin: GraphileConfig.Plugin = extendSchema((build) => {
  const { main } = build.input.pgRegistry.pgExecutors;
  if (!main) throw new Error('there is no database');
  return {
    typeDefs: gql`
      type CoinHolding {
        coin: String!
        wallets: Int!
        balance: BigFloat!
        usdValue: BigFloat!
      }
      type FundHolding {
        fundId: UUID!
        subscriptions: Int!
        "In the currency of the fund."
        amount: BigFloat!
      }
      type PortfolioSummary {
        "Total value of all wallets in US dollars."
        totalUsd: BigFloat!
        "Coins in descending order of value."
        coins: [CoinHolding!]!
        "Approved and active subscriptions."
        funds: [FundHolding!]!
      }
      extend type Query {
        "Totals of the caller's wallets and fund subscriptions."
        portfolioSummary: PortfolioSummary!
      }
    `,
    objects: {
      Query: {
        plans: {
          portfolioSummary: () =>
            loadOneWithPgClient(main, constant(0), async (client: PgClient, requests) => {
              const summary = await summarize(client);
              return requests.map(() => summary);
            }),
        },
      },
    },
  };
}, 'PortfolioSummaryPlugin');

async function summarize(client: PgClient) {
  const { rows } = await client.query<{ readonly wallets: boolean; readonly funds: boolean }>({
    text: `select
        pg_catalog.has_column_privilege('public.digital_wallet', 'balance', 'select') as wallets,
        pg_catalog.has_column_privilege('public.fund_subscription', 'fund_id', 'select') as funds`,
  });
  const reads = rows[0];
  const coins = reads?.wallets ? await coinsOf(client) : [];
  const funds = reads?.funds ? await fundsOf(client) : [];
  return { totalUsd: await sum(client, coins), coins, funds };
}

async function coinsOf(client: PgClient): Promise<readonly CoinHolding[]> {
  const { rows } = await client.query<CoinHolding>({
    text: `select w.coin, pg_catalog.count(*)::int as wallets,
             pg_catalog.sum(w.balance)::text as balance, pg_catalog.sum(w.usd_value)::text as "usdValue"
           from public.digital_wallet w where w.status in ('active', 'locked')
           group by w.coin order by pg_catalog.sum(w.usd_value) desc, w.coin`,
  });
  return rows;
}

async function fundsOf(client: PgClient): Promise<readonly FundHolding[]> {
  const { rows } = await client.query<FundHolding>({
    text: `select s.fund_id as "fundId", pg_catalog.count(*)::int as subscriptions,
             pg_catalog.sum(s.subscription_amount)::text as amount
           from public.fund_subscription s where s.status in ('approved', 'active')
           group by s.fund_id order by s.fund_id`,
  });
  return rows;
}

// Postgres adds the values, because JavaScript numbers would lose digits.
async function sum(client: PgClient, coins: readonly CoinHolding[]): Promise<string> {
  const { rows } = await client.query<{ readonly total: string }>({
    text: `select coalesce(pg_catalog.sum(v.value), 0)::text as total
           from pg_catalog.unnest($1::numeric[]) as v (value)`,
    values: [coins.map(({ usdValue }) => usdValue)],
  });
  return rows[0]?.total ?? '0';
}
