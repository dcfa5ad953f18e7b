import type pg from 'pg';
import { CommandError, sqlState } from '../errors.ts';
import { typeSql } from '../expressions/print/print-operand.ts';
import { revokeTemporary } from '../lint/database/extra-privileges.ts';
import { roleComment } from '../objects/roles/role.ts';
import type { Installation } from '../objects/state/installation.ts';
import { runStatements } from '../plan/run-statements.ts';
import { headerOf } from '../text/names.ts';
import { ident, literal, sql } from '../text/sql-text.ts';
import type { RoleModel } from '../types/model.ts';
import type { VariableName, VariableUse } from '../types/names.ts';
import { usesOf } from './bind-variables.ts';
import { currentDatabase } from './current-database.ts';
import { findRole } from './find-role.ts';
import { scramVerifier } from './gateway-password.ts';
import { inTransaction } from './in-transaction.ts';
import { isReadAlike } from './is-read-alike.ts';
import { defaultLoginLimits, type LoginLimits, limitStatements } from './login-limits.ts';
import { loginComment } from './login-name.ts';
import { refuseRevealing } from './refuse-revealing.ts';

export interface NewLogin {
  /** A name that loginNameProblem has accepted. */
  readonly name: string;
  readonly role: RoleModel;
  /** Values that bindVariables has accepted. */
  readonly variables: ReadonlyMap<VariableName, string>;
  /** The password never becomes part of a statement: Rowgate sends the hash that the server stores. */
  readonly password: string;
  readonly headerPrefix: string;
  /** Default: defaultLoginLimits. */
  readonly limits?: LoginLimits;
}

/**
 * Creates a login that inherits the rights of one role and has fixed session variables.
 * @returns other databases of the cluster to which the login may connect, because PUBLIC may
 * @throws CommandError when the name is taken, the role is not applied or shows hidden rows to upserts, or Postgres
 * refuses a value
 */
export async function createLogin(
  client: pg.ClientBase,
  login: NewLogin,
): Promise<readonly string[]> {
  const verifier = await scramVerifier(login.password);
  return inTransaction(client, async (installation) => {
    await refuseTaken(client, login.name, installation);
    await refuseUnapplied(client, login.role, installation);
    await refuseUnfit(client, login);
    await refuseRevealing(client, login.role);
    await makeRole(client, login, { verifier, installation });
    await storeVariables(client, login);
    await letConnect(client, login.name);
    await refuseTemporary(client, login.name);
    return otherDatabases(client, login.name);
  });
}

async function refuseTaken(
  client: pg.ClientBase,
  name: string,
  { id }: Installation,
): Promise<void> {
  const taken = await findRole(client, name);
  if (!taken) return;
  const ours = taken.comment === loginComment(id);
  throw new CommandError(
    'RG_LOGIN',
    ours
      ? `there is a login "${name}" already`
      : `"${name}" is already a Postgres role, which Rowgate did not create`,
    {
      hint: ours ? `run \`rowgate login drop ${name}\` first` : 'choose another name',
      exitCode: 1,
    },
  );
}

async function refuseUnapplied(
  client: pg.ClientBase,
  role: RoleModel,
  { id }: Installation,
): Promise<void> {
  const found = await findRole(client, role.postgresName);
  if (found?.comment === roleComment(id)) return;
  throw new CommandError('RG_LOGIN', `role ${role.name} is not in the database yet`, {
    hint: 'run `rowgate apply` first',
    exitCode: 1,
  });
}

/**
 * Refuses unsuitable values. Only Postgres knows the values of domains and of types of extensions. A login could also
 * change the meaning of some values.
 */
async function refuseUnfit(client: pg.ClientBase, login: NewLogin): Promise<void> {
  const uses = usesOf(login.role).filter((use) => login.variables.has(use.variable));
  for (const use of uses) {
    await refuseUnfitValue(client, use, login);
    await refuseUnsteadyValue(client, use, login);
  }
}

async function refuseUnfitValue(
  client: pg.ClientBase,
  { variable, type }: VariableUse,
  { variables, role, headerPrefix }: NewLogin,
): Promise<void> {
  const value = literal(variables.get(variable) ?? '');
  try {
    await client.query(sql`select ${value}::${typeSql(type)}`.text);
  } catch (cause) {
    if (!/^2[23]/.test(sqlState(cause) ?? '')) throw cause;
    const header = headerOf(variable, headerPrefix);
    throw new CommandError(
      'RG_BAD_VARIABLE',
      `Postgres does not take ${header} for a ${type.name}, as a rule of role ${role.name} reads it: ${(cause as Error).message}`,
      { exitCode: 2, cause },
    );
  }
}

/** The login may change the settings under which rules read its variables. */
async function refuseUnsteadyValue(
  client: pg.ClientBase,
  { variable, type }: VariableUse,
  { variables, role, headerPrefix }: NewLogin,
): Promise<void> {
  const value = variables.get(variable) ?? '';
  if (await isReadAlike(client, value, type)) return;
  throw new CommandError(
    'RG_BAD_VARIABLE',
    `${headerOf(variable, headerPrefix)} is "${value}", which is one ${type.name} or another as the settings of the login are, and a rule of role ${role.name} reads it`,
    {
      hint: 'write moments with their time zone, such as 2030-01-31T12:00Z, and dates like 2030-01-31',
      exitCode: 2,
    },
  );
}

/**
 * In Postgres 16 and later, a membership can give the rights of a role without `set role`. With `set role`, the login
 * could create objects that belong to the role.
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

async function storeVariables(client: pg.ClientBase, login: NewLogin): Promise<void> {
  const made = await findRole(client, login.name);
  // A person may drop a login without Rowgate. Its rows then remain, and Postgres may later give its oid to another
  // role.
  await client.query('delete from rowgate.login_variable where login = $1::oid', [made?.oid]);
  await client.query(
    'insert into rowgate.login_variable select $1::oid, t.name, t.value from rows from (pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[])) as t(name, value)',
    [made?.oid, [...login.variables.keys()], [...login.variables.values()]],
  );
}

/** When PUBLIC may not connect to the database, the login gets the CONNECT privilege itself. */
async function letConnect(client: pg.ClientBase, name: string): Promise<void> {
  if (await mayConnect(client, name)) return;
  const database = await currentDatabase(client);
  await runStatements(client, [
    sql`grant connect on database ${ident(database)} to ${ident(name)}`,
  ]);
  if (await mayConnect(client, name)) return;
  throw new CommandError('RG_LOGIN', `"${name}" would not be let into database "${database}"`, {
    hint: `as its owner: grant connect on database ${ident(database).text} to public, or let DATABASE_URL be its owner`,
    exitCode: 1,
  });
}

/**
 * Refuses a login that may create temporary tables. Functions in rules read tables by name, and Postgres searches
 * temporary tables first.
 */
async function refuseTemporary(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    `select pg_catalog.has_database_privilege($1::name, pg_catalog.current_database(), 'TEMPORARY')
       and exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
         where n.nspname = 'rowgate_policy' and p.prosecdef and p.prorettype <> 'pg_catalog.trigger'::pg_catalog.regtype) as may`,
    [name],
  );
  if (rows[0]?.may !== true) return;
  throw new CommandError(
    'RG_LOGIN',
    `"${name}" could make temporary tables, which functions that rules call could take for others`,
    { hint: revokeTemporary(await currentDatabase(client)), exitCode: 1 },
  );
}

async function mayConnect(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "select pg_catalog.has_database_privilege($1::name, pg_catalog.current_database(), 'CONNECT') as may",
    [name],
  );
  return rows[0]?.may === true;
}

async function otherDatabases(client: pg.ClientBase, name: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select d.datname as name from pg_catalog.pg_database d
     where d.datallowconn and d.datname <> pg_catalog.current_database() and pg_catalog.has_database_privilege($1::name, d.oid, 'CONNECT')
     order by 1`,
    [name],
  );
  return rows.map((row) => row.name);
}
