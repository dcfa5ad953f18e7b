import pino from 'pino';
import type { ServerCommand, ServerContext } from '../../../command-context.ts';
import { prepareMailQueue, queueAgain } from '../mail-queue.ts';
import { waitAgain } from '../outbox.ts';
import { noSuchMail, refuseNoId, withOutbox } from './with-outbox.ts';

/** `rowgate mail retry`: a mail that failed waits again; a worker sends it at once. */
export const mailRetryCommand: ServerCommand = {
  name: 'mail retry',
  summary: 'send a mail again that failed, or one that waits at once',
  positionals: [{ name: 'id', help: 'its id, as mail list shows it' }],
  options: {},
  run: async (_options, [id = ''], context) => {
    refuseNoId(id);
    const state = await withOutbox(context, (pool) => waitAgain(pool, id));
    if (state === undefined) throw noSuchMail(id);
    if (state === 'sent') {
      context.print(`mail ${id} was sent; it is not sent again`);
      return 1;
    }
    await queue(context, id);
    context.print(`mail ${id} is sent as soon as a worker runs`);
    return 0;
  },
};

async function queue(context: ServerContext, id: string): Promise<void> {
  // Loaded when wanted: other commands need no queue and start faster without.
  const { openQueue } = await import('../../queue/open-queue.ts');
  const url = await context.ownerUrl();
  const opened = await openQueue({ url, works: false, logger: pino({ level: 'silent' }) });
  try {
    await prepareMailQueue(opened.boss);
    await queueAgain(opened.boss, id);
  } finally {
    await opened.close();
  }
}
