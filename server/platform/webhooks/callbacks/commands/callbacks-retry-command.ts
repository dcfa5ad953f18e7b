import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import type { ServerCommand, ServerContext } from '../../../../cli/command-context.ts';
import { withTransaction } from '../../../../db/with-transaction.ts';
import { ProcessError } from '../../../../errors.ts';
import { prepareCallbackQueues, sendCallbacks } from '../callback-queue.ts';
import {
  noSuchCallback,
  providerOption,
  readFilter,
  readId,
  usageError,
} from './callback-options.ts';
import {
  type CallbackState,
  type Filter,
  findCallback,
  resetToStored,
  retriedStates,
  withInbox,
} from './callback-queries.ts';

const hint = 'rowgate callbacks retry --help shows the arguments';
const retriedByState: readonly CallbackState[] = ['failed', 'unmatched'];

/** `rowgate callbacks retry` processes callbacks that had no effect again, in order of arrival. */
export const callbacksRetryCommand: ServerCommand = {
  name: 'callbacks retry',
  summary: 'process one callback without effect again, or all that failed or are unmatched',
  positionals: [{ name: 'id', help: 'its id, as callbacks list shows it', optional: true }],
  options: {
    state: { type: 'string', help: 'all that are failed or unmatched, instead of one' },
    ...providerOption,
  },
  run: async (options, [given], context) => {
    const filter = readFilter(options);
    if (given === undefined) refuseOtherStates(filter);
    else if (filter.state ?? filter.provider) {
      throw usageError('callbacks retry takes either an id, or --state and --provider', hint);
    }
    const id = given === undefined ? undefined : readId(given);
    const count = await withInbox(context, async (pool) => {
      if (id !== undefined) await refuseFinished(pool, id);
      return withQueue(context, (boss) => retry(pool, boss, filter, id));
    });
    const subject = id === undefined ? `${count} callbacks are` : `callback ${id} is`;
    context.print(
      `${subject.replace(/^1 callbacks are/, '1 callback is')} processed as soon as a worker runs`,
    );
    return 0;
  },
};

function refuseOtherStates({ state }: Filter): void {
  if (state !== undefined && retriedByState.includes(state)) return;
  throw usageError(
    `callbacks retry takes an id, or --state ${retriedByState.join(' or --state ')}`,
    hint,
  );
}

/**
 * Refuses a callback that cannot be processed again.
 * @throws ProcessError when the callback does not exist, had its effect or is malformed
 */
async function refuseFinished(pool: pg.Pool, id: string): Promise<void> {
  const callback = await findCallback(pool, id);
  if (!callback) throw noSuchCallback(id);
  if (retriedStates.includes(callback.state)) return;
  throw callback.state === 'done'
    ? new ProcessError('RG_USAGE', `callback ${id} was processed; it is not processed twice`)
    : new ProcessError('RG_USAGE', `callback ${id} is malformed: ${callback.note}`, {
        hint: 'the provider has to send it again, in the right form',
      });
}

/** Sets the selected callbacks back to `stored` and queues their jobs, in one transaction. Returns their number. */
function retry(
  pool: pg.Pool,
  boss: PgBoss,
  filter: Filter,
  id: string | undefined,
): Promise<number> {
  return withTransaction(pool, async (client) => {
    const { within } = await import('../../../../queue/open-queue.ts');
    const ids = await resetToStored(client, filter, id);
    await sendCallbacks(boss, ids, within(client));
    return ids.length;
  });
}

async function withQueue<T>(
  context: ServerContext,
  work: (boss: PgBoss) => Promise<T>,
): Promise<T> {
  // Loaded on demand, because other commands need no queue and start faster without it.
  const { openQueue } = await import('../../../../queue/open-queue.ts');
  const url = await context.ownerUrl();
  const opened = await openQueue({ url, works: false, logger: pino({ level: 'silent' }) });
  try {
    await prepareCallbackQueues(opened.boss);
    return await work(opened.boss);
  } finally {
    await opened.close();
  }
}
