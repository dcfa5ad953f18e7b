import pg from 'pg';
import { inject } from 'vitest';

/** One connection per cluster for the life of the process, because connecting takes longer than most statements. */
const kept = new Map<string, Promise<pg.Client>>();

/**
 * Runs a statement as the superuser in the database `postgres`, on a connection that all files of the process share.
 */
export async function asSuperuser(statement: string): Promise<readonly unknown[]> {
  const client = await sharedConnection(inject('superuserUrl'));
  return (await client.query(statement)).rows;
}

function sharedConnection(url: string): Promise<pg.Client> {
  const open = kept.get(url) ?? connect(url);
  kept.set(url, open);
  return open;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  // Tests may end the session. The next statement then opens a new one.
  client.on('error', () => kept.delete(connectionString));
  client.on('end', () => kept.delete(connectionString));
  await client.connect();
  return client;
}
