import pg from 'pg';
import { ensurePassword } from '../../../permissions/index.ts';
import { ProcessError } from '../../errors.ts';
import { entryPoints } from './entry-points.ts';
import type { ServerLogin } from './logins.ts';

/** All that the sidecar may, by the schema that it is in: its own tables and functions, and nothing of the platform's. */
const rights: Readonly<Record<string, readonly string[]>> = {
  // Which rules hold: only who has these gives events up that they do not know.
  rowgate_api: ['execute on function rowgate_api.applied_fingerprint()'],
  rowgate_events: [
    // Who only delivers makes no events up, and changes nothing of what they say.
    'select on rowgate_events.event, rowgate_events.attempt, rowgate_events.turn',
    'update (relayed_at, tries, earlier_tries, delivered_at, dead_at, dead_reason) on rowgate_events.event',
    'insert on rowgate_events.attempt',
    'select, insert, delete on rowgate_events.action_request',
    // Nor who asked for what.
    'update (status, tries, due_at, output, errors, client_headers, ended_at) on rowgate_events.action_request',
    'update (at) on rowgate_events.turn',
    'execute on all functions in schema rowgate_events',
  ],
  rowgate_queue: [
    'select, insert, update, delete on all tables in schema rowgate_queue',
    'execute on all functions in schema rowgate_queue',
  ],
  rowgate_auth: [
    'select, insert, update, delete on rowgate_auth.session, rowgate_auth.rate_limit, rowgate_auth.revoked_token, rowgate_auth.sdk_token',
    'select, insert on rowgate_auth.signing_key',
    'select on rowgate_auth.api_key',
    'update (last_used_at) on rowgate_auth.api_key',
    'execute on all functions in schema rowgate_auth',
  ],
  rowgate_documents: ['execute on all functions in schema rowgate_documents'],
  ...Object.fromEntries(
    Object.entries(entryPoints).map(([schema, names]) => [
      schema,
      names.map((name) => `execute on function ${schema}.${name}`),
    ]),
  ),
};

/**
 * Makes the login, unless its URL is configured, and gives it its rights. The owner asks, after the migrations.
 * @throws ProcessError RG_NOT_PREPARED where a role of that name belongs to another database or installation
 */
export async function prepareSidecarLogin(owner: pg.Client, login: ServerLogin): Promise<void> {
  await owner.query('begin');
  try {
    // One at a time: Postgres does not wait for a role or a grant that another transaction is making.
    await owner.query('select from rowgate.installation for update');
    if (login.password !== undefined) await makeLogin(owner, login.name, login.password);
    const name = pg.escapeIdentifier(login.name);
    for (const right of await rightsHere(owner)) await owner.query(`grant ${right} to ${name}`);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

/** Beside tables of somebody else only what delivers events is there. */
async function rightsHere(owner: pg.Client): Promise<readonly string[]> {
  const { rows } = await owner.query<{ readonly name: string }>(
    'select nspname as name from pg_catalog.pg_namespace where nspname = any ($1)',
    [Object.keys(rights)],
  );
  return rows.flatMap(({ name }) => [`usage on schema ${name}`, ...(rights[name] ?? [])]);
}

async function makeLogin(owner: pg.Client, login: string, password: string): Promise<void> {
  const name = pg.escapeIdentifier(login);
  const mark = await ownMark(owner);
  const found = await markOf(owner, login);
  if (found === undefined) {
    await owner.query(`create role ${name} login noinherit`);
    await owner.query(`comment on role ${name} is ${pg.escapeLiteral(mark)}`);
    // Nothing that others may make is found by a plain name.
    await owner.query(`alter role ${name} set search_path = pg_catalog, pg_temp`);
  } else if (found !== mark) {
    throw new ProcessError('RG_NOT_PREPARED', `the role ${login} belongs to somebody else`, {
      hint: 'set ROWGATE_ROLE_PREFIX, or ROWGATE_SIDECAR_DATABASE_URL with a login of its own',
    });
  }
  await ensurePassword(owner, login, password);
}

// A copied database has its source's id; the name tells them apart.
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
