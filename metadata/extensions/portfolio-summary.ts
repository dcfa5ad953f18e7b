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
 * `portfolioSummary` adds up what the caller has: coins of wallets, and subscriptions to funds. It sees what the rules
 * of the caller's role show of either; a role without one of the tables gets an empty list.
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
        "What all wallets are worth."
        totalUsd: BigFloat!
        "Most valuable coin first."
        coins: [CoinHolding!]!
        "Approved and active subscriptions."
        funds: [FundHolding!]!
      }
      extend type Query {
        "What the caller holds."
        portfolioSummary: PortfolioSummary!
      }
    `,
    objects: {
      Query: {
        plans: {
          portfolioSummary: () =>
            loadOneWithPgClient(main, constant(0), async (client: PgClient, asked) => {
              const summary = await summarize(client);
              return asked.map(() => summary);
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

// By Postgres: JavaScript would lose digits.
async function sum(client: PgClient, coins: readonly CoinHolding[]): Promise<string> {
  const { rows } = await client.query<{ readonly total: string }>({
    text: `select coalesce(pg_catalog.sum(v.value), 0)::text as total
           from pg_catalog.unnest($1::numeric[]) as v (value)`,
    values: [coins.map(({ usdValue }) => usdValue)],
  });
  return rows[0]?.total ?? '0';
}
