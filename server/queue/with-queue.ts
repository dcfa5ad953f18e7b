import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { openQueue } from './open-queue.ts';

/** Runs work with a queue that runs no jobs, and closes it. @param url the URL of the owner */
export async function withQueue<T>(url: string, work: (boss: PgBoss) => Promise<T>): Promise<T> {
  const { boss, close } = await openQueue({
    ...{ url, works: false },
    logger: pino({ level: 'silent' }),
  });
  try {
    return await work(boss);
  } finally {
    await close();
  }
}
