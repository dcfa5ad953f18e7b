import type pg from 'pg';
import type { ServerContext } from '../../../cli/command-context.ts';
import { hasTables } from '../../../db/preparation.ts';
import { ProcessError } from '../../../errors.ts';
import { platformTables } from '../../tables.ts';

/**
 * Runs `work` with a connection of the owner, and closes the connection.
 * @throws ProcessError RG_NOT_PREPARED when the database lacks the tables of sessions and keys
 */
export async function withPlatform<T>(
  context: ServerContext,
  work: (owner: pg.Client) => Promise<T>,
): Promise<T> {
  const owner = await context.connectOwner();
  try {
    if (await hasTables(owner, platformTables)) return await work(owner);
    throw new ProcessError('RG_NOT_PREPARED', 'the tables of sessions and keys are missing', {
      hint: 'run `rowgate migrate` first',
    });
  } finally {
    await owner.end();
  }
}
