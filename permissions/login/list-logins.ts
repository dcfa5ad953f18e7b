import type pg from 'pg';
import { roleComment } from '../objects/roles/role.ts';
import type { Installation } from '../objects/state/installation.ts';
import type { LoginLimits } from './login-limits.ts';
import { loginComment } from './login-name.ts';

/** A Postgres login that has the rights of a role of the metadata, other than the gateway's login. */
export interface DirectLogin {
  readonly name: string;
  /** Whether `rowgate login create` made the login. False: a database administrator granted the role. */
  readonly managed: boolean;
  /**
   * Roles of the metadata, as Postgres roles, that the login is a member of. Empty when the metadata no longer has its
   * role.
   */
  readonly roles: readonly string[];
  /** Session variables of the login: values by variable name, e.g. `organization_id`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Time at which the password expires. */
  readonly validUntil: Date | null;
  /**
   * Limits that are set for the login itself. The login may have changed its timeouts, and the database may set others.
   */
  readonly limits: LoginLimits;
}

/**
 * Returns SQL for the value of a setting of login `r`. A value for this database takes precedence over one for all
 * databases. Null: the login has no such setting, or it is 0.
 */
const setting = (name: string) => `(
    select nullif(pg_catalog.regexp_replace(pg_catalog.split_part(one, '=', 2), '^0+[a-z]*$', ''), '')
    from pg_catalog.pg_db_role_setting x cross join lateral pg_catalog.unnest(x.setconfig) one
    where x.setrole = r.oid and pg_catalog.split_part(one, '=', 1) = '${name}'
      and (x.setdatabase = 0 or x.setdatabase = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()))
    order by x.setdatabase desc limit 1)`;

/**
 * $1: comment of direct logins, $2: comment of roles that apply makes. The query returns the direct logins. It skips
 * logins of gateways, and logins that only administer a role, such as the role's creator.
 */
const query = `
with member as (
  select x.member as oid, pg_catalog.array_agg(g.rolname::text order by g.rolname) as roles,
    bool_or(exists (select 1 from rowgate.installation i where i.gateway_role = g.rolname)) as gateway
  from pg_catalog.pg_auth_members x join pg_catalog.pg_roles g on g.oid = x.roleid
  where pg_catalog.shobj_description(g.oid, 'pg_authid') = $2
    and (coalesce((pg_catalog.to_jsonb(x)->>'inherit_option')::bool, true) or coalesce((pg_catalog.to_jsonb(x)->>'set_option')::bool, true))
  group by 1
)
select r.rolname as name, d.comment is not distinct from $1 as managed, coalesce(m.roles, '{}') as roles,
  coalesce((select pg_catalog.jsonb_object_agg(v.name, v.value) from rowgate.login_variable v where v.login = r.oid), '{}') as variables,
  nullif(r.rolvaliduntil, 'infinity') as "validUntil",
  pg_catalog.jsonb_build_object('connections', nullif(r.rolconnlimit, -1),
    'statementTimeout', ${setting('statement_timeout')}, 'idleInTransactionTimeout', ${setting('idle_in_transaction_session_timeout')}) as limits
from pg_catalog.pg_roles r
cross join lateral (select pg_catalog.shobj_description(r.oid, 'pg_authid') as comment) d
left join member m on m.oid = r.oid
where d.comment = $1 or r.rolcanlogin and m.roles is not null and not m.gateway and d.comment is distinct from $2
order by 1`;

/** Returns all logins to this database that have the rights of a role, except the gateway. */
export async function listLogins(
  client: pg.ClientBase,
  { id }: Installation,
): Promise<readonly DirectLogin[]> {
  const { rows } = await client.query<DirectLogin>(query, [loginComment(id), roleComment(id)]);
  return rows;
}
