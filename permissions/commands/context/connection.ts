import type pg from 'pg';
import { pinSettings } from '../../plan/prepare.ts';
import type { CommandContext } from './command.ts';

/** Runs work on a connection of the owner, and closes the connection afterwards. */
export async function withOwner<T>(
  context: Pick<CommandContext, 'connectOwner'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await context.connectOwner();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Runs work that changes nothing. The transaction is read-only, sees one state of the database, and has a fixed
 * search_path.
 */
export async function withSnapshot<T>(
  context: Pick<CommandContext, 'connectOwner'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withOwner(context, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    await client.query(pinSettings);
    try {
      return await work(client);
    } finally {
      await client.query('rollback');
    }
  });
}
