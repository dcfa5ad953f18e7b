import type pg from 'pg';
import { withQueue } from '../queue/with-queue.ts';
import { prepareMailQueue, queueMails, removeMailJob } from './mail-queue.ts';
import { findMail, waitAgain } from './outbox.ts';

/** The result of a retry. A mail in the state `sent` is not sent again; one that is `active` is being sent now. */
export type Retried = 'queued' | 'sent' | 'active';

/**
 * Queues a failed mail again, or makes a waiting mail due. Returns undefined when there is no such mail.
 * @param ownerUrl the URL of the owner, for a connection of the queue
 */
export async function retryMail(
  database: Pick<pg.Pool, 'query'> | pg.ClientBase,
  ownerUrl: string,
  id: string,
): Promise<Retried | undefined> {
  const mail = await findMail(database, id);
  if (!mail) return undefined;
  if (mail.state === 'sent') return 'sent';
  return withQueue(ownerUrl, async (boss) => {
    await prepareMailQueue(boss);
    // The job is removed first, so that no worker sends the mail while its state changes.
    if (!(await removeMailJob(boss, id))) return 'active';
    await waitAgain(database, id);
    await queueMails(boss, [id]);
    return 'queued';
  });
}
