import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { withTransaction } from '../../../db/with-transaction.ts';
import { prepareCallbackQueues, sendCallbacks } from '../../../queue/callback-queue.ts';
import { within } from '../../../queue/open-queue.ts';
import { untilDone } from '../../../until-done.ts';
import type { ProviderName } from './callback-provider.ts';

/** What became of what came in. */
export interface TakenIn {
  /** In the inbox. */
  readonly id: string;
  /** Whether it was there before. */
  readonly duplicate: boolean;
}

/** One event as it is stored. */
export interface Incoming {
  readonly provider: ProviderName;
  readonly key: string;
  readonly body: Buffer;
  /** Why it cannot be used; it is kept for inspection then. */
  readonly problem: string | undefined;
}

/** A log of a list: whose key is undefined where it is unusable, and its bytes are its key. */
export interface IncomingLog {
  readonly key: string | undefined;
  readonly problem: string | undefined;
}

/** Where callbacks wait until they have had their effect. */
export interface Inbox {
  takeIn(incoming: Incoming): Promise<TakenIn>;
  /** Stores each log of a list, whose bytes are those of `body`. */
  takeInLogs(body: Buffer, logs: readonly IncomingLog[]): Promise<readonly TakenIn[]>;
}

interface Row extends TakenIn {
  readonly wake: boolean;
}

/** Stores callbacks and asks for their processing, both or neither. */
export function makeInbox(pool: pg.Pool, boss: PgBoss): Inbox {
  // Where this process does not work on them itself, nobody may have made the queues yet.
  const prepared = untilDone(() => prepareCallbackQueues(boss));
  const store = async (text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    await prepared();
    return withTransaction(pool, async (client) => {
      const { rows } = await client.query<Row>(text, [...values]);
      const waking = rows.filter(({ wake }) => wake).map(({ id }) => id);
      await sendCallbacks(boss, waking, within(client));
      return rows;
    });
  };
  return {
    takeIn: async ({ provider, key, body, problem }) => {
      const [row] = await store(
        'select t.id, t.duplicate, t.wake from rowgate_webhooks.take_in($1, $2, $3, $4) t',
        [provider, key, body, problem ?? null],
      );
      if (!row) throw new Error('nothing was stored');
      return row;
    },
    takeInLogs: (body, logs) =>
      store('select t.id, t.duplicate, t.wake from rowgate_webhooks.take_in_logs($1, $2, $3) t', [
        body,
        logs.map(({ key }) => key ?? null),
        logs.map(({ problem }) => problem ?? null),
      ]),
  };
}
