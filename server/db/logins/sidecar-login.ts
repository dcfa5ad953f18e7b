import pg from 'pg';
import { ensurePassword } from '../../../permissions/index.ts';
import { ProcessError } from '../../errors.ts';
import type { ServerLogin } from './logins.ts';

/** Privileges in the syntax of `grant`, by the schema of their objects. */
export type Grants = Readonly<Record<string, readonly string[]>>;

/** The privileges that the services need with any application. */
const serviceGrants: Grants = {
  // The fingerprint identifies the applied rules. A worker ends events of unknown triggers only if its rules are the
  // applied rules.
  rowgate_api: ['execute on function rowgate_api.applied_fingerprint()'],
  rowgate_events: [
    // Grants allow a delivery worker to read events and to update their delivery state, but not to create events or
    // change their data.
    'select on rowgate_events.event, rowgate_events.attempt, rowgate_events.turn',
    'update (relayed_at, tries, earlier_tries, delivered_at, dead_at, dead_reason) on rowgate_events.event',
    'insert on rowgate_events.attempt',
    // Locking a row requires the right to update it.
    'select, insert, update (actor), delete on rowgate_events.paused_trigger',
    'select, insert, delete on rowgate_events.action_request',
    // Only these columns can be updated, so that the caller and the input of an action request stay unchanged.
    'update (status, tries, due_at, output, errors, client_headers, ended_at) on rowgate_events.action_request',
    'update (at) on rowgate_events.turn',
    'execute on all functions in schema rowgate_events',
  ],
  rowgate_queue: [
    'select, insert, update, delete on all tables in schema rowgate_queue',
    'execute on all functions in schema rowgate_queue',
  ],
  rowgate_mail: executeOn('rowgate_mail', [
    'clean',
    'find',
    'note_failure',
    'note_sent',
    'post',
    'wait_again',
    'waiting',
    'waiting_mail',
  ]),
};

/** Grants on single functions. All other functions of the schema are internal and do not check their callers. */
export function executeOn(schema: string, functions: readonly string[]): readonly string[] {
  return functions.map((name) => `execute on function ${schema}.${name}`);
}

/**
 * Creates the login unless its URL is configured, and grants it the privileges of the services and of the application.
 * Needs the owner's connection, after the migrations.
 * @throws ProcessError RG_NOT_PREPARED when a role with that name belongs to another database or installation
 */
export async function prepareSidecarLogin(
  owner: pg.Client,
  login: ServerLogin,
  applicationGrants: Grants = {},
): Promise<void> {
  await owner.query('begin');
  try {
    // The lock is needed because Postgres does not wait for a concurrent creation of a role or grant.
    await owner.query('select from rowgate.installation for update');
    if (login.password !== undefined) await makeLogin(owner, login.name, login.password);
    const name = pg.escapeIdentifier(login.name);
    for (const right of await grantsHere(owner, applicationGrants)) {
      await owner.query(`grant ${right} to ${name}`);
    }
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

/**
 * Returns the grants for the schemas that exist in this database. A database without an application has only the
 * schemas of the services.
 */
async function grantsHere(owner: pg.Client, ofApplication: Grants): Promise<readonly string[]> {
  const { rows } = await owner.query<{ readonly name: string }>(
    'select nspname as name from pg_catalog.pg_namespace where nspname = any ($1)',
    [Object.keys({ ...serviceGrants, ...ofApplication })],
  );
  return rows.flatMap(({ name }) => [
    `usage on schema ${name}`,
    ...(serviceGrants[name] ?? []),
    ...(ofApplication[name] ?? []),
  ]);
}

async function makeLogin(owner: pg.Client, login: string, password: string): Promise<void> {
  const name = pg.escapeIdentifier(login);
  const mark = await ownMark(owner);
  const found = await markOf(owner, login);
  if (found === undefined) {
    await owner.query(`create role ${name} login noinherit`);
    await owner.query(`comment on role ${name} is ${pg.escapeLiteral(mark)}`);
    // The login must not resolve unqualified names to objects that other roles can create.
    await owner.query(`alter role ${name} set search_path = pg_catalog, pg_temp`);
  } else if (found !== mark) {
    throw new ProcessError('RG_NOT_PREPARED', `the role ${login} belongs to another installation`, {
      hint: 'set ROWGATE_ROLE_PREFIX, or ROWGATE_SIDECAR_DATABASE_URL for another login',
    });
  }
  await ensurePassword(owner, login, password);
}

// The comment on the role shows which installation and database own the role. It contains the database name because a
// copied database has the installation id of its source.
async function ownMark(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ readonly id: string; readonly database: string }>(
    'select i.id, pg_catalog.current_database() as database from rowgate.installation i',
  );
  return `rowgate sidecar:${rows[0]?.id}/${rows[0]?.database}`;
}

async function markOf(owner: pg.Client, login: string): Promise<string | null | undefined> {
  const { rows } = await owner.query<{ readonly mark: string | null }>(
    `select pg_catalog.shobj_description(r.oid, 'pg_authid') as mark
     from pg_catalog.pg_roles r where r.rolname = $1`,
    [login],
  );
  return rows[0]?.mark;
}
