import type pg from 'pg';
import type { Installation } from '../objects/state/installation.ts';
import { runStatements } from '../plan/run-statements.ts';
import { ident, literal, sql } from '../text/sql-text.ts';
import { currentDatabase, letConnect, otherDatabases } from './connect-privilege.ts';
import { findRole } from './find-role.ts';
import { scramVerifier } from './gateway-password.ts';
import { inTransaction } from './in-transaction.ts';
import { defaultLoginLimits, limitStatements } from './login-limits.ts';
import { loginComment } from './login-name.ts';
import type { NewLogin } from './new-login.ts';
import { refuseRevealing, refuseTaken, refuseTemporary, refuseUnapplied } from './refuse-login.ts';
import { refuseValues } from './refuse-values.ts';

/**
 * Creates a login that inherits the rights of one role and has fixed session variables.
 * @returns other databases of the cluster to which the login may connect, because PUBLIC may connect to them
 * @throws CommandError when the name is taken, the role is not applied, upserts of the role would reveal hidden rows,
 * or Postgres refuses a value
 */
export async function createLogin(
  client: pg.ClientBase,
  login: NewLogin,
): Promise<readonly string[]> {
  const verifier = await scramVerifier(login.password);
  return inTransaction(client, async (installation) => {
    await refuseTaken(client, login.name, installation);
    await refuseUnapplied(client, login.role, installation);
    await refuseValues(client, login);
    await refuseRevealing(client, login.role);
    await makeRole(client, login, { verifier, installation });
    await storeVariables(client, login);
    await letFindViews(client, login);
    await letConnect(client, login.name);
    await refuseTemporary(client, login.name);
    return otherDatabases(client, login.name);
  });
}

/**
 * Creates the Postgres role of a login. In Postgres 16 and later, it inherits the rights of its compiled role but may
 * not `set role` to it. With `set role`, the login could create objects that belong to the compiled role.
 */
async function makeRole(
  client: pg.ClientBase,
  { name, role, limits = defaultLoginLimits }: NewLogin,
  made: { readonly verifier: string; readonly installation: Installation },
): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "select pg_catalog.current_setting('server_version_num')::int as version",
  );
  const options = (rows[0]?.version ?? 0) >= 160000 ? sql` with inherit true, set false` : sql``;
  await runStatements(client, [
    sql`create role ${ident(name)} login inherit password ${literal(made.verifier)}`,
    sql`comment on role ${ident(name)} is ${literal(loginComment(made.installation.id))}`,
    sql`grant ${ident(role.postgresName)} to ${ident(name)}${options}`,
    ...limitStatements(name, limits),
  ]);
}

/** Makes the views of the login, and lets its unqualified names find them. Postgres searches pg_catalog before them. */
async function letFindViews(client: pg.ClientBase, { name, makeViews }: NewLogin): Promise<void> {
  if (!makeViews) return;
  const schema = await makeViews();
  const database = await currentDatabase(client);
  await runStatements(client, [
    sql`alter role ${ident(name)} in database ${ident(database)} set search_path = ${ident(schema)}, public`,
  ]);
}

async function storeVariables(client: pg.ClientBase, login: NewLogin): Promise<void> {
  const made = await findRole(client, login.name);
  // If an earlier login was dropped without Rowgate, its variables remain. Postgres may give the oid of the dropped
  // login to the new login, which must not get these variables.
  await client.query('delete from rowgate.login_variable where login = $1::oid', [made?.oid]);
  await client.query(
    'insert into rowgate.login_variable select $1::oid, t.name, t.value from rows from (pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[])) as t(name, value)',
    [made?.oid, [...login.variables.keys()], [...login.variables.values()]],
  );
}
