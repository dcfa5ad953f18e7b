import type pg from 'pg';
import { CommandError, sqlState } from '../errors.ts';
import { typeSql } from '../expressions/print-operand.ts';
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
  /** Checked by loginNameProblem. */
  readonly name: string;
  readonly role: RoleModel;
  /** Checked by bindVariables. */
  readonly variables: ReadonlyMap<VariableName, string>;
  /** Never part of a statement: the server is sent what it would store. */
  readonly password: string;
  readonly headerPrefix: string;
  /** Absent: defaultLoginLimits. */
  readonly limits?: LoginLimits;
}

/**
 * Makes a login that inherits the rights of one role, and whose session variables are these.
 * @returns other databases of the cluster that it may connect to, because PUBLIC may
 * @throws CommandError where the name is taken, the role is not applied or shows hidden rows to upserts, or Postgres refuses a value
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
      : `"${name}" is a Postgres role already, of somebody else`,
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

/** Types of which only Postgres knows the values: domains, those of extensions; and values that a login could turn into others. */
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
 * From Postgres 16 on a membership can give rights without letting anybody become the role, who could then own things
 * in its name.
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
  // Rows outlive a login that was dropped by hand, and Postgres gives its number to somebody else one day.
  await client.query('delete from rowgate.login_variable where login = $1::oid', [made?.oid]);
  await client.query(
    'insert into rowgate.login_variable select $1::oid, t.name, t.value from rows from (pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::text[])) as t(name, value)',
    [made?.oid, [...login.variables.keys()], [...login.variables.values()]],
  );
}

/** Where PUBLIC may not connect, the login gets the right of its own. */
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

/** Functions that rules call read tables by their names, and temporary ones come before others. */
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
