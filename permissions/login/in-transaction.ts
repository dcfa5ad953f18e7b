import type pg from 'pg';
import { CommandError } from '../errors.ts';
import { type Installation, readInstallation } from '../objects/state/installation.ts';
import { pinSettings } from '../plan/prepare.ts';

/**
 * Runs work in a transaction. When an apply is running, the transaction first waits for its end, so that both do not
 * change roles at the same time.
 * @throws CommandError when no metadata was applied yet
 */
export async function inTransaction<T>(
  client: pg.ClientBase,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  await client.query('begin');
  try {
    await client.query(pinSettings);
    const installation = await requireInstallation(client);
    await client.query('select 1 from rowgate.installation for update');
    const done = await work(installation);
    await client.query('commit');
    return done;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Returns the record of the last apply.
 * @throws CommandError when no metadata was applied to this database yet
 */
export async function requireInstallation(client: pg.ClientBase): Promise<Installation> {
  const installation = await readInstallation(client);
  if (installation?.fingerprint) return installation;
  throw new CommandError('RG_LOGIN', 'nothing was applied to this database yet', {
    hint: 'run `rowgate apply` first',
    exitCode: 1,
  });
}
