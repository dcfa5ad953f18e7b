import type pg from 'pg';
import type pino from 'pino';
import type { MailConfig } from '../config/mail-config.ts';
import type { Queue } from '../queue/open-queue.ts';
import type { Brand } from '../rendering/brand.ts';
import { type MailJob, prepareMailQueue, queueMails, workOnMails } from './mail-queue.ts';
import { type MailTransport, openMailTransport } from './mail-transport.ts';
import { findWaitingMail, listWaitingMails, noteFailure, noteSent } from './outbox.ts';
import { isRefusedForGood, reasonOf } from './send-failure.ts';

export interface MailWork {
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly config: MailConfig;
  readonly brand: Brand;
  readonly logger: pino.Logger;
}

/**
 * Sends the mails of the outbox until the queue closes. When the process dies after the mail server has accepted a
 * mail, but before the result is recorded, the mail is sent again with the same Message-ID.
 */
export async function workMail({ pool, queue, config, brand, logger }: MailWork): Promise<void> {
  await prepareMailQueue(queue.boss);
  const transport = openMailTransport(config, brand);
  if (!transport) {
    logger.warn('mails wait in the outbox until ROWGATE_SMTP_URL names a mail server');
    return;
  }
  queue.boss.once('stopped', () => transport.close());
  // Inserts missing jobs, e.g. after the tables of the queue were lost.
  await queueMails(queue.boss, await listWaitingMails(pool));
  await workOnMails(queue.boss, (job) => sendOne(job, { pool, transport, logger }));
}

async function sendOne(
  { id, isLast }: MailJob,
  { pool, transport, logger }: Pick<MailWork, 'pool' | 'logger'> & { transport: MailTransport },
): Promise<void> {
  const mail = await findWaitingMail(pool, id);
  if (!mail) return;
  try {
    await transport.send(mail);
  } catch (error) {
    const reason = reasonOf(error);
    const isFinal = isLast || isRefusedForGood(error);
    await noteFailure(pool, id, reason, isFinal);
    if (!isFinal) throw new Error(reason);
    logger.error({ mail: id, reason }, 'a mail was given up; rowgate mail show shows it');
    return;
  }
  await noteSent(pool, id);
}
