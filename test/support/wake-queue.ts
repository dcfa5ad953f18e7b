import type pg from 'pg';
import { queueSchema } from '../../server/db/queue-schema.ts';

/**
 * Makes all workers of a queue look for jobs now. pg-boss sends no notice for retries and due schedules, so workers find
 * them only when they poll, every few seconds.
 */
export async function wakeQueue(client: pg.ClientBase, queue: string): Promise<void> {
  // The name of the channel on which pg-boss listens.
  const channel = `'pgboss_' || left(encode(sha224('${queueSchema}'), 'hex'), 24)`;
  await client.query(`select pg_notify(${channel}, $1)`, [queue]);
}
