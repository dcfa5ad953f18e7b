import type pg from 'pg';
import { CommandError, sqlState } from '../errors.ts';
import type { Installation } from '../objects/state/installation.ts';
import { didYouMean } from '../text/nearest.ts';
import { ident, sql } from '../text/sql-text.ts';
import { currentDatabase } from './connect-privilege.ts';
import { dropUnusedViews } from './drop-views.ts';
import { findRole } from './find-role.ts';
import { inTransaction } from './in-transaction.ts';
import { listLogins } from './list-logins.ts';
import { loginComment } from './login-name.ts';

/**
 * Removes a login with its variables and rights, and the views of its role when no other login has the role. A session that the login has open continues, but without any rights.
 * @throws CommandError when `rowgate login create` made no such login, or when the login owns objects
 */
export async function dropLogin(client: pg.ClientBase, name: string): Promise<void> {
  await inTransaction(client, async (installation) => {
    const oid = await requireOurs(client, name, installation);
    const logins = await listLogins(client, installation);
    const roles = logins.find((one) => one.name === name)?.roles ?? [];
    await removeLogin(client, { name, oid }).catch((error: unknown) => {
      throw dependence(name, error);
    });
    await dropUnusedViews(client, roles, installation);
  });
}

/** Removes a login that Rowgate created, in the transaction of the caller. */
export async function removeLogin(
  client: pg.ClientBase,
  { name, oid }: { readonly name: string; readonly oid: string },
): Promise<void> {
  const database = await currentDatabase(client);
  await client.query('delete from rowgate.login_variable where login = $1::oid', [oid]);
  await client.query(sql`revoke all on database ${ident(database)} from ${ident(name)}`.text);
  await client.query(sql`drop role ${ident(name)}`.text);
}

async function requireOurs(
  client: pg.ClientBase,
  name: string,
  installation: Installation,
): Promise<string> {
  const found = await findRole(client, name);
  if (found?.comment === loginComment(installation.id)) return found.oid;
  const logins = await listLogins(client, installation);
  const names = logins.filter((one) => one.managed).map((one) => one.name);
  throw new CommandError(
    'RG_LOGIN',
    found
      ? `"${name}" is a Postgres role that \`rowgate login create\` did not make`
      : `there is no login "${name}"`,
    {
      hint: didYouMean(name, names) ?? '`rowgate login list` shows them',
      exitCode: 1,
    },
  );
}

function dependence(name: string, cause: unknown): unknown {
  if (sqlState(cause) !== '2BP01') return cause;
  const what = ((cause as pg.DatabaseError).detail ?? '').replaceAll('\n', '; ');
  return new CommandError('RG_LOGIN', `"${name}" owns things or was given more by hand: ${what}`, {
    hint: `in each database concerned: reassign owned by ${ident(name).text} to …; drop owned by ${ident(name).text}`,
    exitCode: 1,
    cause,
  });
}
