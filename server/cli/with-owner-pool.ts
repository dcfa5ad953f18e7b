import pg from 'pg';
import { ProcessError } from '../errors.ts';
import type { ServerContext } from './command-context.ts';

/** The tables that a command needs. */
export interface Needed {
  /** A relation that exists exactly when all needed tables exist, e.g. `rowgate_mail.outbox`. */
  readonly relation: string;
  /** The name in messages, e.g. `mails`. */
  readonly subject: string;
}

/**
 * Runs work with a pool of the owner, and ends the pool.
 * @throws ProcessError RG_NOT_PREPARED when the needed tables are missing
 */
export async function withOwnerPool<T>(
  context: ServerContext,
  needed: Needed,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  // Connects once, so that an unreachable database causes the same message as in all other commands.
  await (await context.connectOwner()).end();
  const pool = new pg.Pool({ connectionString: await context.ownerUrl(), max: 4 });
  pool.on('error', () => {});
  try {
    await refuseWithout(pool, needed);
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** @throws ProcessError RG_NOT_PREPARED when the relation is missing */
export async function refuseWithout(
  database: pg.Pool | pg.Client,
  { relation, subject }: Needed,
): Promise<void> {
  const { rows } = await database.query<{ readonly exists: boolean }>(
    'select pg_catalog.to_regclass($1) is not null as exists',
    [relation],
  );
  if (rows[0]?.exists) return;
  throw new ProcessError('RG_NOT_PREPARED', `the tables of ${subject} are missing`, {
    hint: 'run `rowgate migrate` first',
  });
}
