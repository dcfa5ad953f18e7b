import type pg from 'pg';
import { sqlState } from '../errors.ts';
import { removeLogin } from '../login/drop-login.ts';
import { loginComment } from '../login/login-name.ts';
import { inspectState } from '../objects/inspect-state.ts';
import { inspectRoles, roleId } from '../objects/roles/role.ts';
import { type Installation, readInstallation } from '../objects/state/installation.ts';
import type { FoundObject } from '../objects/state/state-object.ts';
import { makePlan, planSteps } from '../plan/make-plan.ts';
import { pinSettings } from '../plan/prepare.ts';
import { systemRoles } from '../text/object-names.ts';
import { ident } from '../text/sql-text.ts';
import { dropLeftRoles, type KeptRole, keepNeeded } from './left-roles.ts';
import { runSteps } from './run-steps.ts';
import { asOwnerOfViews } from './view-owner.ts';

export interface Uninstalled {
  /** Names of the Postgres roles that were dropped. */
  readonly roles: readonly string[];
  /**
   * Roles that could not be dropped, because a copy of this database still gives them privileges. They have no rights
   * here.
   */
  readonly rolesKept: readonly KeptRole[];
  /** Names of the direct logins that were removed. */
  readonly logins: readonly string[];
  /**
   * Names of the logins that lost their rights but were not dropped, because they own objects or have further rights.
   */
  readonly loginsKept: readonly string[];
  /**
   * Whether the gateway's schemas stay. They stay when user-defined defaults, views or checks still read session
   * variables.
   */
  readonly schemasKept: boolean;
}

/** Removes everything that apply made in this database: policies, views, triggers, grants and roles. */
export async function uninstall(
  client: pg.ClientBase,
  options: { readonly rolePrefix: string; readonly login: string | undefined },
): Promise<Uninstalled> {
  await client.query('begin');
  try {
    await client.query(pinSettings);
    const done = await remove(client, options);
    await client.query('commit');
    return done;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function remove(
  client: pg.ClientBase,
  { rolePrefix, login }: { readonly rolePrefix: string; readonly login: string | undefined },
): Promise<Uninstalled> {
  const installation = await readInstallation(client);
  if (!installation) return nothing;
  const { rows } = await client.query<{ version: number }>(
    "select pg_catalog.current_setting('server_version_num')::int as version from rowgate.installation for update",
  );
  const serverVersion = rows[0]?.version ?? 0;
  const found = await inspectRoles(client, {
    installation,
    roles: [],
    exclusiveRoles: Object.values(systemRoles({ rolePrefix })),
    login: login ?? `${rolePrefix}gateway_login`,
    tables: [],
    callsOfAll: new Set(),
    serverVersion,
  });
  const objects = await inspectState(found);
  const logins = await removeLogins(client, installation);
  const roles = objects.filter((one) => one.kind === 'role');
  const rest = objects.filter((one) => one.kind !== 'role');
  const dropRest = () => runSteps(client, planSteps(makePlan([], rest)));
  const role = systemRoles({ rolePrefix }).policy;
  if (roles.some((one) => one.id === roleId(role))) {
    await asOwnerOfViews(client, { role, serverVersion }, dropRest);
  } else await dropRest();
  const rolesKept = await keepNeeded(client, roles.map(nameOf), installation);
  const kept = new Set(rolesKept.map((one) => one.name));
  const dropped = roles.filter((one) => !kept.has(nameOf(one)));
  await runSteps(client, planSteps(makePlan([], dropped)));
  const left = await dropLeftRoles(client, found.context.copied);
  await disableRowSecurity(client);
  const schemasKept = await hasDependants(client);
  if (!schemasKept)
    await client.query('drop schema rowgate_events, rowgate_policy, rowgate_api, rowgate cascade');
  return {
    roles: [...dropped.map(nameOf), ...left],
    rolesKept,
    ...logins,
    schemasKept,
  };
}

const nothing: Uninstalled = {
  roles: [],
  rolesKept: [],
  logins: [],
  loginsKept: [],
  schemasKept: false,
};

const nameOf = ({ id }: FoundObject): string => JSON.parse(id)[1];

async function removeLogins(
  client: pg.ClientBase,
  installation: Installation,
): Promise<Pick<Uninstalled, 'logins' | 'loginsKept'>> {
  const { rows } = await client.query<{ name: string; oid: string }>(
    `select r.rolname as name, r.oid::int8::text as oid from pg_catalog.pg_roles r
     where pg_catalog.shobj_description(r.oid, 'pg_authid') = $1 order by 1`,
    [loginComment(installation.id)],
  );
  const remaining: string[] = [];
  for (const login of rows) if (!(await isRemoved(client, login))) remaining.push(login.name);
  return {
    logins: rows.map((row) => row.name).filter((name) => !remaining.includes(name)),
    loginsKept: remaining,
  };
}

/**
 * Removes a direct login. Returns false when the login stays, because it owns objects, about which a person has to
 * decide, or because another role created it.
 */
async function isRemoved(
  client: pg.ClientBase,
  login: { readonly name: string; readonly oid: string },
): Promise<boolean> {
  await client.query('savepoint login');
  try {
    await removeLogin(client, login);
    return true;
  } catch (error) {
    // Any role that may create roles can write Rowgate's comment on a login of its own. Such a login does not belong to
    // Rowgate, and Postgres refuses to drop it with 42501.
    if (!['2BP01', '42501'].includes(sqlState(error) ?? '')) throw error;
    await client.query('rollback to savepoint login');
    return false;
  }
}

/** Disables row security on the tables where Rowgate enabled it. Tables that had row security before keep it. */
async function disableRowSecurity(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ schema: string; name: string }>(`
    delete from rowgate.row_security s using pg_catalog.pg_class c, pg_catalog.pg_namespace n
    where c.oid = s.relation and n.oid = c.relnamespace
    returning n.nspname as schema, c.relname as name`);
  for (const { schema, name } of rows) {
    await client.query(
      `alter table ${ident(schema).text}.${ident(name).text} disable row level security`,
    );
  }
}

async function hasDependants(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ some: boolean }>(`
    select exists (
      select 1 from pg_catalog.pg_depend d
      join pg_catalog.pg_proc p on p.oid = d.refobjid and d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
      where p.pronamespace = 'rowgate_api'::pg_catalog.regnamespace) as some`);
  return rows[0]?.some === true;
}
