import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import type { ServerCommand, ServerContext } from '../../cli/command-context.ts';
import { prepareMailQueue, queueMails, removeMailJob } from '../mail-queue.ts';
import { findMail, waitAgain } from '../outbox.ts';
import { noSuchMail, refuseNoId, withOutbox } from './with-outbox.ts';

/** `rowgate mail retry` queues a failed mail again, or makes a waiting mail due immediately. */
export const mailRetryCommand: ServerCommand = {
  name: 'mail retry',
  summary: 'send a mail again that failed, or one that waits at once',
  positionals: [{ name: 'id', help: 'its id, as mail list shows it' }],
  options: {},
  run: async (_options, [id = ''], context) => {
    refuseNoId(id);
    const { line, code } = await withOutbox(context, (pool) => retry(context, pool, id));
    context.print(`mail ${id} ${line}`);
    return code;
  },
};

/** The printed message and the exit code. */
interface Answer {
  readonly line: string;
  readonly code: 0 | 1;
}

async function retry(context: ServerContext, pool: pg.Pool, id: string): Promise<Answer> {
  const mail = await findMail(pool, id);
  if (!mail) throw noSuchMail(id);
  if (mail.state === 'sent') return { code: 1, line: 'was already sent and is not sent again' };
  return withQueue(context, async (boss) => {
    // The job is removed first, so that no worker sends the mail while its state changes.
    if (!(await removeMailJob(boss, id))) {
      return {
        code: 1,
        line: 'is being sent by a worker; look again in a minute',
      };
    }
    await waitAgain(pool, id);
    await queueMails(boss, [id]);
    return { code: 0, line: 'will be sent as soon as a worker runs' };
  });
}

async function withQueue<T>(
  context: ServerContext,
  work: (boss: PgBoss) => Promise<T>,
): Promise<T> {
  // Imported on demand, because other commands start faster without a queue.
  const { openQueue } = await import('../../queue/open-queue.ts');
  const url = await context.ownerUrl();
  const opened = await openQueue({ url, works: false, logger: pino({ level: 'silent' }) });
  try {
    await prepareMailQueue(opened.boss);
    return await work(opened.boss);
  } finally {
    await opened.close();
  }
}
