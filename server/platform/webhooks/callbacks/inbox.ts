import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { withTransaction } from '../../../db/with-transaction.ts';
import { within } from '../../../queue/open-queue.ts';
import { untilDone } from '../../../until-done.ts';
import { prepareCallbackQueues, sendCallbacks } from './callback-queue.ts';
import type { ProviderName } from './providers/callback-provider.ts';

/** The result of storing a callback. */
export interface StoredCallback {
  /** The id in the inbox. */
  readonly id: string;
  /** Whether the same callback was stored earlier; then nothing new is stored. */
  readonly duplicate: boolean;
}

/** A callback to store. */
export interface IncomingCallback {
  readonly provider: ProviderName;
  readonly key: string;
  readonly body: Buffer;
  /** The reason why the callback is invalid. Such a callback is stored for inspection only. */
  readonly problem: string | undefined;
}

/** A record of a log stream. An invalid record has no key, so its bytes identify it. */
export interface IncomingLog {
  readonly key: string | undefined;
  readonly problem: string | undefined;
}

/** The store of callbacks, where they wait for a worker. */
export interface Inbox {
  /** Stores one callback. */
  store(callback: IncomingCallback): Promise<StoredCallback>;
  /** Stores each record of a list separately. `body` are the bytes of the whole list. */
  storeLogs(body: Buffer, logs: readonly IncomingLog[]): Promise<readonly StoredCallback[]>;
}

interface Row extends StoredCallback {
  readonly wake: boolean;
}

/** Makes an inbox that stores callbacks and queues their jobs in one transaction. */
export function makeInbox(pool: pg.Pool, boss: PgBoss): Inbox {
  // Creates the queues at the first callback. Workers also create them, but this process may run no worker, or receive
  // a callback before the first worker has started.
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
    store: async ({ provider, key, body, problem }) => {
      const [row] = await store(
        'select t.id, t.duplicate, t.wake from rowgate_webhooks.take_in($1, $2, $3, $4) t',
        [provider, key, body, problem ?? null],
      );
      if (!row) throw new Error('nothing was stored');
      return row;
    },
    storeLogs: (body, logs) =>
      store('select t.id, t.duplicate, t.wake from rowgate_webhooks.take_in_logs($1, $2, $3) t', [
        body,
        logs.map(({ key }) => key ?? null),
        logs.map(({ problem }) => problem ?? null),
      ]),
  };
}
