import pg from 'pg';
import { ProcessError } from '../errors.ts';
import type { ServerContext } from './command-context.ts';

/** What a command looks into. */
export interface Needed {
  /** A relation that is there where all of it is, e.g. `rowgate_mail.outbox`. */
  readonly relation: string;
  /** For people, e.g. `mails`. */
  readonly subject: string;
}

/**
 * Gives work connections of the owner, and ends them.
 * @throws ProcessError RG_NOT_PREPARED where what it needs is not there
 */
export async function withOwnerPool<T>(
  context: ServerContext,
  needed: Needed,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  // First, so that a database that cannot be reached is told in the words of all commands.
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

/** @throws ProcessError RG_NOT_PREPARED where the relation is not there */
export async function refuseWithout(
  database: pg.Pool | pg.Client,
  { relation, subject }: Needed,
): Promise<void> {
  const { rows } = await database.query<{ readonly there: boolean }>(
    'select pg_catalog.to_regclass($1) is not null as there',
    [relation],
  );
  if (rows[0]?.there) return;
  throw new ProcessError('RG_NOT_PREPARED', `the tables of ${subject} are missing`, {
    hint: 'run `rowgate migrate` first',
  });
}
