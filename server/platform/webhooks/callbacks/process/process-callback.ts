import type pg from 'pg';
import { withTransaction } from '../../../../db/with-transaction.ts';
import type { Mailer } from '../../../../mail/mailer.ts';
import type { Format } from '../../../../rendering/format.ts';
import type { CallbackProvider, ProviderName } from '../providers/callback-provider.ts';
import { cardProvider } from '../providers/card-callbacks.ts';
import { custodyProvider } from '../providers/custody-callbacks.ts';
import { makeIdentityLogProvider } from '../providers/identity-log.ts';
import { kycProvider } from '../providers/kyc-callbacks.ts';

interface ProcessingServices {
  readonly pool: pg.Pool;
  readonly mailer: Mailer;
  readonly format: Format;
}

export type OutcomeState = 'done' | 'ignored' | 'unmatched';

interface Outcome {
  readonly state: OutcomeState;
  readonly note: string | null;
  /** The facts for the mail that the effect requests, returned by the database function; null: no mail. */
  readonly letter: unknown;
}

/** The result of processing a callback. */
export interface Processed {
  readonly provider: ProviderName;
  readonly state: OutcomeState;
  /** The reason why the callback had no effect, or a remark. */
  readonly note: string | null;
}

/**
 * Processes a callback. Returns undefined when the callback was already processed.
 * @throws errors of the effect, after a rollback
 */
export type ProcessCallback = (id: string) => Promise<Processed | undefined>;

/** Makes the processing of callbacks. The effect of a callback, its mails and its new state commit together. */
export function makeCallbackProcessing(services: ProcessingServices): ProcessCallback {
  const { pool, mailer, format } = services;
  const providers: Readonly<Record<ProviderName, CallbackProvider>> = {
    custody: custodyProvider,
    card: cardProvider,
    kyc: kycProvider,
    identity: makeIdentityLogProvider(format),
  };
  const attempt: ProcessCallback = (id) =>
    withTransaction(pool, async (client) => {
      const provider = await claimCallback(client, id);
      if (provider === null) return undefined;
      const { effect, messagesAbout } = providers[provider];
      const { state, note, letter } = await apply(client, effect, id);
      if (letter !== null) await mailer.post(client, messagesAbout(letter));
      await client.query('select rowgate_webhooks.settle_callback($1, $2, $3)', [id, state, note]);
      return { provider, state, note };
    });
  return async (id) => {
    let last = await attempt(id);
    // An unmatched callback waits for an object to be linked to a person. A link that is committed during the attempt
    // wakes nothing, because the callback is not waiting yet. So the attempt is repeated until its result no longer
    // changes.
    for (let note: string | null | undefined; last?.state === 'unmatched' && last.note !== note; ) {
      note = last.note;
      last = await attempt(id);
    }
    return last;
  };
}

/**
 * Locks a callback until the end of the transaction and returns its provider; null when the callback needs no
 * processing.
 */
export async function claimCallback(
  client: pg.ClientBase,
  id: string,
): Promise<ProviderName | null> {
  const { rows } = await client.query<{ readonly provider: ProviderName | null }>(
    'select rowgate_webhooks.claim_callback($1) as provider',
    [id],
  );
  return rows[0]?.provider ?? null;
}

async function apply(client: pg.ClientBase, effect: string, id: string): Promise<Outcome> {
  const { rows } = await client.query<Outcome>(
    `select o.state, o.note, o.letter from ${effect}($1) o`,
    [id],
  );
  const [outcome] = rows;
  if (!outcome) throw new Error(`${effect} returned no row`);
  return outcome;
}
