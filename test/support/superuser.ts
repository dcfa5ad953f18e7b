import pg from 'pg';
import { inject } from 'vitest';

/** One to each cluster, kept while the process lives: to connect costs more than most of what is asked. */
const kept = new Map<string, Promise<pg.Client>>();

/** Runs a statement as the superuser in the database `postgres`, on a connection that all files of the process share. */
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
  // Tests end sessions; the next statement then finds another.
  client.on('error', () => kept.delete(connectionString));
  client.on('end', () => kept.delete(connectionString));
  await client.connect();
  return client;
}
