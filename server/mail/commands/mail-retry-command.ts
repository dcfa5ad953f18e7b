import type { ServerCommand } from '../../cli/command-context.ts';
import type { Retried } from '../retry-mail.ts';
import { noSuchMail, refuseNoId, withOutbox } from './with-outbox.ts';

/** `rowgate mail retry` queues a failed mail again, or makes a waiting mail due immediately. */
export const mailRetryCommand: ServerCommand = {
  name: 'mail retry',
  summary: 'send a mail again that failed, or one that waits at once',
  positionals: [{ name: 'id', help: 'its id, as mail list shows it' }],
  options: {},
  run: async (_options, [id = ''], context) => {
    refuseNoId(id);
    // Imported on demand, because other commands start faster without a queue.
    const { retryMail } = await import('../retry-mail.ts');
    const url = await context.ownerUrl();
    const retried = await withOutbox(context, (pool) => retryMail(pool, url, id));
    if (retried === undefined) throw noSuchMail(id);
    context.print(`mail ${id} ${words[retried]}`);
    return retried === 'queued' ? 0 : 1;
  },
};

const words: Readonly<Record<Retried, string>> = {
  queued: 'will be sent as soon as a worker runs',
  sent: 'was already sent and is not sent again',
  active: 'is being sent by a worker; look again in a minute',
};
