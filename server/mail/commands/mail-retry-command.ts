import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import type { ServerCommand, ServerContext } from '../../cli/command-context.ts';
import { prepareMailQueue, queueMails, takeBack } from '../mail-queue.ts';
import { findMail, waitAgain } from '../outbox.ts';
import { noSuchMail, refuseNoId, withOutbox } from './with-outbox.ts';

/** `rowgate mail retry`: a mail that failed waits again; a worker sends it at once. */
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

/** What is said of the mail, and how the command ends. */
interface Answer {
  readonly line: string;
  readonly code: 0 | 1;
}

async function retry(context: ServerContext, pool: pg.Pool, id: string): Promise<Answer> {
  const mail = await findMail(pool, id);
  if (!mail) throw noSuchMail(id);
  if (mail.state === 'sent') return { code: 1, line: 'was sent; it is not sent again' };
  return withQueue(context, async (boss) => {
    // First, so that no worker is at it while it is made to wait.
    if (!(await takeBack(boss, id))) {
      return {
        code: 1,
        line: 'is in the hands of a worker at this moment; look again in a minute',
      };
    }
    await waitAgain(pool, id);
    await queueMails(boss, [id]);
    return { code: 0, line: 'is sent as soon as a worker runs' };
  });
}

async function withQueue<T>(
  context: ServerContext,
  work: (boss: PgBoss) => Promise<T>,
): Promise<T> {
  // Loaded when wanted: other commands need no queue and start faster without.
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
