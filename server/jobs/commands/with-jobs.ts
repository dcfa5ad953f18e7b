import pg from 'pg';
import type { ServerContext } from '../../command-context.ts';
import { ProcessError } from '../../errors.ts';

/**
 * Gives work connections as the owner, and ends them.
 * @throws ProcessError RG_NOT_PREPARED where the database lacks the history of schedules
 */
export async function withJobs<T>(
  context: ServerContext,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({ connectionString: await context.ownerUrl(), max: 4 });
  pool.on('error', () => {});
  try {
    const { rows } = await pool.query<{ readonly there: boolean }>(
      `select pg_catalog.to_regclass('rowgate_jobs.run') is not null as there`,
    );
    if (rows[0]?.there) return await work(pool);
    throw new ProcessError('RG_NOT_PREPARED', 'the tables of schedules are missing', {
      hint: 'run `rowgate migrate` first',
    });
  } finally {
    await pool.end();
  }
}

/** As a terminal can show it: what a receiver has answered may hold anything. */
export function onTerminal(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
