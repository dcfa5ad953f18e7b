import type { Row } from './payload.ts';
import type { TriggerWorld } from './trigger-world.ts';

/** Steps of a trade and queries that several test files share. */
export function tradeSteps(world: TriggerWorld) {
  return { trade, quoteFor, execute, settlementsOf, settle, balanceOf };

  /**
   * Creates a person with a wallet of 10 BTC and a submitted trade request for 2 of them. The quote
   * is optional.
   */
  async function trade(values: Row = {}, wallet: Row = {}) {
    const client = await world.client();
    const { id: walletId } = await world.wallet(client.organization, { balance: 10, ...wallet });
    const { id } = await world.insert('trade_request', {
      organization_id: client.organization,
      user_id: client.person,
      digital_wallet_id: walletId,
      quantity: '2',
      status: 'submitted',
      ...values,
    });
    return { ...client, id: String(id), walletId: String(walletId) };
  }

  async function quoteFor(organization: string, values: Row = {}): Promise<string> {
    const quote = {
      organization_id: organization,
      quantity: 2,
      price: 100,
      status: 'quoted',
      ...values,
    };
    return (await world.insert('otc_quote', quote)).id;
  }

  /** Executes an approved trade request at a price, and returns the event of that change. */
  async function execute(id: string, values: Row) {
    return world.change('trade_request', id, {
      status: 'executed',
      executed_at: '2026-01-01T23:30:00Z',
      ...values,
    });
  }

  async function settlementsOf(id: string) {
    return world.rows(
      `select coin, coin_amount::text, amount::text, currency, status, due_on::text
       from public.trade_settlement where trade_request_id = $1`,
      [id],
    );
  }

  /**
   * Moves the trade's settlement through these statuses, and returns the event of the last change.
   */
  async function settle(id: string, path: readonly string[]) {
    const { id: settlement } = await world.row(
      `select id from public.trade_settlement where trade_request_id = $1 and status <> 'cancelled'`,
      [id],
    );
    return {
      settlement: String(settlement),
      event: await world.walk('trade_settlement', settlement, path),
    };
  }

  async function balanceOf(wallet: string): Promise<string> {
    const { balance } = await world.row(
      'select trim_scale(balance)::text as balance from public.digital_wallet where id = $1',
      [wallet],
    );
    return balance;
  }
}
