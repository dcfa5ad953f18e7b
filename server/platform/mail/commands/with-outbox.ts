import pg from 'pg';
import type { ServerContext } from '../../../command-context.ts';
import { ProcessError } from '../../../errors.ts';

/**
 * Gives work connections of the owner, and ends them.
 * @throws ProcessError RG_NOT_PREPARED where the database has no outbox
 */
export async function withOutbox<T>(
  context: ServerContext,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  // First, so that a database that cannot be reached is told in the words of all commands.
  await (await context.connectOwner()).end();
  const pool = new pg.Pool({ connectionString: await context.ownerUrl(), max: 1 });
  try {
    const { rows } = await pool.query<{ readonly found: boolean }>(
      `select pg_catalog.to_regclass('rowgate_mail.outbox') is not null as found`,
    );
    if (rows[0]?.found) return await work(pool);
    throw new ProcessError('RG_NOT_PREPARED', 'the tables of mails are missing', {
      hint: 'run `rowgate migrate` first',
    });
  } finally {
    await pool.end();
  }
}

/** @throws ProcessError RG_USAGE where it can be no id of a mail */
export function refuseNoId(id: string): void {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return;
  throw noSuchMail(id);
}

/** For an id that no mail has. */
export function noSuchMail(id: string): ProcessError {
  return new ProcessError('RG_USAGE', `there is no mail with the id ${id}`, {
    hint: 'rowgate mail list shows the ids',
  });
}

/** What strangers wrote, harmless on a terminal. */
export function onTerminal(text: string): string {
  return text.replaceAll(/(?!\n)[\p{C}\u2028\u2029]/gu, '?');
}
