import { type PgClient, sideEffectWithPgClientTransaction } from 'postgraphile/@dataplan/pg';
import { SafeError } from 'postgraphile/grafast';
import { extendSchema, gql } from 'postgraphile/utils';

interface Input {
  readonly digitalWalletId: string;
  readonly otcQuoteId?: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly accountHolder: string;
  readonly accountLastFour: string;
  readonly accountToken: string;
}

interface Wallet {
  readonly coin: string;
  readonly status: string;
  /** True if the balance minus the amounts of open requests covers the amount. */
  readonly covers: boolean;
}

/** Stable coins by currency. One coin is worth one unit of its currency. */
const stableCoins: Readonly<Record<string, readonly string[]>> = {
  CHF: ['XCHF'],
  EUR: ['EURC', 'EURS', 'EURT'],
  GBP: ['GBPT'],
  SGD: ['XSGD'],
  USD: ['USDC', 'USDT', 'USDP', 'PYUSD', 'DAI', 'TUSD'],
};

/**
 * `requestWithdrawal` submits a withdrawal to a bank account, from a wallet of a stable coin, or from another wallet
 * whose coins are sold at a valid quote. Every statement runs under the rules of the caller's role. Accounting decides
 * on the request as on any other.
 */
export const RequestWithdrawalPlugin: GraphileConfig.Plugin = extendSchema((build) => {
  const { main } = build.input.pgRegistry.pgExecutors;
  if (!main) throw new Error('there is no database');
  return {
    typeDefs: gql`
      input RequestWithdrawalInput {
        "A wallet of the caller."
        digitalWalletId: UUID!
        "A quote to sell the wallet's coins. Required unless they are a stable coin of the currency."
        otcQuoteId: UUID
        amount: BigFloat!
        currency: String = "USD"
        accountHolder: String!
        accountLastFour: String!
        "Token of the account at the payment provider."
        accountToken: String!
      }
      type RequestedWithdrawal {
        withdrawalId: UUID!
        "The trade that sells the coins. Null for a stable coin."
        tradeId: UUID
        status: String!
      }
      extend type Mutation {
        "Checks wallet, quote and balance, and submits a withdrawal."
        requestWithdrawal(input: RequestWithdrawalInput!): RequestedWithdrawal!
      }
    `,
    objects: {
      Mutation: {
        plans: {
          requestWithdrawal: (_$parent, { $input }) =>
            sideEffectWithPgClientTransaction(main, $input, requestWithdrawal),
        },
      },
    },
  };
}, 'RequestWithdrawalPlugin');

async function requestWithdrawal(client: PgClient, input: Input) {
  const wallet = await findWallet(client, input);
  const isStable = stableCoins[input.currency]?.includes(wallet.coin) === true;
  if (isStable && !wallet.covers) {
    throw refusal('insufficient-balance', 'the balance of the wallet does not cover the amount');
  }
  const tradeId = isStable ? null : await sell(client, input, wallet);
  const withdrawalId = await insert(
    client,
    `insert into public.fiat_withdrawal_request
       (digital_wallet_id, amount, currency, account_holder, account_last_four, account_token)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [
      isStable ? input.digitalWalletId : null,
      ...[input.amount, input.currency],
      ...[input.accountHolder, input.accountLastFour, input.accountToken],
    ],
  );
  await submit(client, 'fiat_withdrawal_request', withdrawalId);
  return { withdrawalId, tradeId, status: 'submitted' };
}

/** Returns the wallet. An advisory lock keeps concurrent calls from checking the same balance. */
async function findWallet(client: PgClient, { digitalWalletId, amount }: Input): Promise<Wallet> {
  await client.query({
    text: `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended($1, 0))`,
    values: [`requestWithdrawal/${digitalWalletId}`],
  });
  const { rows } = await client.query<Wallet>({
    text: `select w.coin, w.status, w.balance - coalesce((
             select pg_catalog.sum(r.amount + r.fee) from public.fiat_withdrawal_request r
             where r.digital_wallet_id = w.id and r.status in ('submitted', 'approved', 'processing')
           ), 0) >= $2::numeric as covers
           from public.digital_wallet w where w.id = $1`,
    values: [digitalWalletId, amount],
  });
  const [wallet] = rows;
  if (!wallet) throw refusal('not-found', 'there is no such wallet of yours');
  if (wallet.status !== 'active') throw refusal('wallet-not-active', 'the wallet is not active');
  return wallet;
}

/** Submits a trade request for the quoted coins and returns its id. */
async function sell(client: PgClient, input: Input, { coin }: Wallet): Promise<string> {
  const { otcQuoteId, digitalWalletId, currency, amount } = input;
  if (!otcQuoteId) {
    const message = `${coin} is no stable coin of ${currency}; name a quote to sell at`;
    throw refusal('quote-needed', message);
  }
  const { rows } = await client.query<{
    readonly holds: boolean;
    readonly covers: boolean;
    readonly quantity: string;
  }>({
    text: `select q.quantity::text, q.status = 'quoted' and q.expires_at > pg_catalog.now() as holds,
             q.quantity * q.price - q.fee >= $4::numeric and w.balance >= q.quantity as covers
           from public.otc_quote q join public.digital_wallet w on w.id = q.digital_wallet_id
           where q.id = $1 and q.digital_wallet_id = $2 and q.side = 'sell' and q.pair = $3`,
    values: [otcQuoteId, digitalWalletId, `${coin}/${currency}`, amount],
  });
  const [quote] = rows;
  if (!quote) throw refusal('not-found', 'there is no such quote for the wallet and the currency');
  if (!quote.holds) throw refusal('quote-expired', 'the quote does not hold any more');
  if (!quote.covers) {
    const message = 'the wallet and the proceeds of the quote do not cover the amount';
    throw refusal('insufficient-balance', message);
  }
  const tradeId = await insert(
    client,
    `insert into public.trade_request (digital_wallet_id, otc_quote_id, side, pair, quantity, currency)
     values ($1, $2, 'sell', $3, $4, $5) returning id`,
    [digitalWalletId, otcQuoteId, `${coin}/${currency}`, quote.quantity, currency],
  );
  await submit(client, 'trade_request', tradeId);
  return tradeId;
}

async function insert(client: PgClient, text: string, values: unknown[]): Promise<string> {
  const { rows } = await client.query<{ readonly id: string }>({ text, values });
  return rows[0]?.id ?? '';
}

// The rules allow inserting only drafts, so a separate update submits the request.
async function submit(
  client: PgClient,
  table: 'fiat_withdrawal_request' | 'trade_request',
  id: string,
): Promise<void> {
  const text = `update public.${table} set status = 'submitted' where id = $1`;
  const { rowCount } = await client.query({ text, values: [id] });
  if (rowCount !== 1) throw new Error(`${table} ${id} cannot be submitted`);
}

function refusal(code: string, message: string): SafeError {
  return new SafeError(message, { code });
}
