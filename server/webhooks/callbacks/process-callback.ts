import type pg from 'pg';
import { withTransaction } from '../../db/with-transaction.ts';
import type { Format } from '../../platform/document/format.ts';
import type { Postman } from '../../platform/mail/postman.ts';
import type { CallbackProvider, ProviderName } from './callback-provider.ts';
import { cardProvider } from './card-provider.ts';
import { custodyProvider } from './custody-provider.ts';
import { makeIdentityProvider } from './identity-provider.ts';
import { kycProvider } from './kyc-provider.ts';

interface ProcessingServices {
  readonly pool: pg.Pool;
  readonly postman: Postman;
  readonly format: Format;
}

interface Outcome {
  readonly state: 'done' | 'ignored';
  readonly note: string | null;
  /** What a mail is to be written about. */
  readonly letter: unknown;
}

/**
 * Processes a callback of the inbox, unless that was done: its effect, its mails and the note of it commit together.
 * @throws what the effect throws, and nothing is done then
 */
export function makeCallbackProcessing(
  services: ProcessingServices,
): (id: string) => Promise<void> {
  const { pool, postman, format } = services;
  const providers: Readonly<Record<ProviderName, CallbackProvider>> = {
    custody: custodyProvider,
    card: cardProvider,
    kyc: kycProvider,
    identity: makeIdentityProvider(format),
  };
  return (id) =>
    withTransaction(pool, async (client) => {
      const name = await claim(client, id);
      if (name === null) return;
      const { effect, lettersAbout } = providers[name];
      const { state, note, letter } = await apply(client, effect, id);
      if (letter !== null) await postman.post(client, lettersAbout(letter));
      await client.query('select rowgate_webhooks.settle_callback($1, $2, $3)', [id, state, note]);
    });
}

async function claim(client: pg.ClientBase, id: string): Promise<ProviderName | null> {
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
  if (!outcome) throw new Error(`${effect} said nothing`);
  return outcome;
}
