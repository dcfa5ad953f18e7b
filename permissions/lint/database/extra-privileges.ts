import { callsOfOwner, callsOfTable } from '../../access/function-calls.ts';
import { roleAccess } from '../../access/table-access.ts';
import { compiledRoles } from '../../objects/roles/role.ts';
import { systemRoles } from '../../text/object-names.ts';
import { ident, qualified } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import { ourRoles } from '../inspection.ts';
import { queryLint } from '../query-lint.ts';

/** $1: our roles. The query returns those that may create schemas in this database. */
const makersQuery = `
select d.datname as database, g.rolname as role
from pg_catalog.pg_database d
cross join lateral pg_catalog.aclexplode(d.datacl) x
join pg_catalog.pg_roles g on g.oid = x.grantee
where d.datname = pg_catalog.current_database() and x.privilege_type = 'CREATE' and g.rolname = any ($1::text[])
order by 1, 2`;

/**
 * Reports our roles that may create schemas. In a schema of its own, a role could create operators and functions.
 */
export const schemaMakers = queryLint<{ database: string; role: string }>(
  { query: makersQuery, values: (seen) => [ourRoles(seen)] },
  {
    severity: 'error',
    code: 'RG_EXTRA_PRIVILEGE',
    message: ({ role }) =>
      `the Postgres role "${role}" may make schemas and extensions in this database`,
    hint: ({ database, role }) => `run: revoke create on database "${database}" from "${role}"`,
  },
);

/** $1: compiled roles. The query skips logins that may act as Rowgate's owner, because these need no further rights. */
const stackedQuery = `
select m.rolname as login, pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles
from pg_catalog.pg_roles m
join pg_catalog.pg_roles r on r.rolname = any ($1::text[]) and r.oid <> m.oid
where not m.rolsuper and m.rolname <> current_user and pg_catalog.pg_has_role(m.oid, r.oid, 'USAGE')
  and not exists (select 1 from pg_catalog.pg_namespace n where n.nspname = 'rowgate' and pg_catalog.pg_has_role(m.oid, n.nspowner, 'USAGE'))
group by 1 having pg_catalog.count(*) > 1
order by 1`;

/** Reports logins that combine the rights of several roles. */
export const stackedLogins = queryLint<{ login: string; roles: string }>(
  { query: stackedQuery, values: ({ loaded }) => [compiledRoles(loaded.model)] },
  {
    severity: 'error',
    code: 'RG_EXTRA_PRIVILEGE',
    message: ({ login, roles }) =>
      `"${login}" inherits several roles at once (${roles}): the rows of one would show the columns of the other`,
    hint: ({ login }) => `revoke all but one of them from "${login}"`,
  },
);

/**
 * $1: compiled roles, $2: oids of managed tables and views, $3: our roles. The query returns privileges of logins that
 * also have a compiled role. It skips logins that may act as the owner, because they gain nothing.
 */
const besideQuery = `
with granted as (
  select c.oid, x.* from pg_catalog.pg_class c cross join lateral pg_catalog.aclexplode(c.relacl) x
  union all
  select a.attrelid, x.* from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) x where not a.attisdropped
)
select n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as "isView", g.rolname as role,
  pg_catalog.string_agg(distinct pg_catalog.lower(x.privilege_type), ', ' order by pg_catalog.lower(x.privilege_type)) as privileges
from granted x
join pg_catalog.pg_class c on c.oid = x.oid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_roles g on g.oid = x.grantee and g.rolname <> all ($3::text[])
where (c.oid = any ($2::oid[]) or n.nspname in ('rowgate_api', 'rowgate_policy') and c.relkind = 'v')
  and exists (select from pg_catalog.pg_roles m
    where not m.rolsuper and m.rolname <> all ($3::text[]) and pg_catalog.pg_has_role(m.oid, g.oid, 'USAGE')
      and not pg_catalog.pg_has_role(m.oid, c.relowner, 'USAGE')
      and exists (select from pg_catalog.pg_roles r where r.rolname = any ($1::text[]) and pg_catalog.pg_has_role(m.oid, r.oid, 'MEMBER')))
group by 1, 2, 3, 4 order by 1, 2, 4`;

/** Reports privileges on managed tables and views that a login has in addition to those of its role. */
export const grantsBeside = queryLint<{
  schema: string;
  name: string;
  isView: boolean;
  role: string;
  privileges: string;
}>(
  {
    query: besideQuery,
    values: (seen) => [compiledRoles(seen.loaded.model), seen.tables, ourRoles(seen)],
  },
  {
    severity: ({ isView }) => (isView ? 'error' : 'warning'),
    code: 'RG_EXTRA_PRIVILEGE',
    message: ({ schema, name, isView, role, privileges }) => {
      const effect = isView
        ? 'which no rule filters'
        : 'which adds columns or commands to those of its rules';
      return `"${role}" may ${privileges} on ${schema}.${name} beside a role of the metadata, ${effect}`;
    },
    hint: (row) => `run: revoke all on ${qualified(row).text} from ${ident(row.role).text}`,
  },
);

/**
 * $1: compiled roles, $2: oids of managed tables. BYPASSRLS is not inherited, but the grants of a role are, so a login
 * with both reads every row. The query skips logins that may act as an owner of the tables, because they gain nothing.
 */
const bypassQuery = `
select m.rolname as login, pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles
from pg_catalog.pg_roles m
join pg_catalog.pg_roles r on r.rolname = any ($1::text[]) and r.oid <> m.oid
where m.rolbypassrls and not m.rolsuper and m.rolname <> current_user and pg_catalog.pg_has_role(m.oid, r.oid, 'USAGE')
  and not exists (select 1 from pg_catalog.pg_class c where c.oid = any ($2::oid[]) and pg_catalog.pg_has_role(m.oid, c.relowner, 'USAGE'))
group by 1 order by 1`;

/** Reports logins that use the grants of a compiled role without its policies. */
export const bypass = queryLint<{ login: string; roles: string }>(
  { query: bypassQuery, values: ({ loaded, tables }) => [compiledRoles(loaded.model), tables] },
  {
    severity: 'error',
    code: 'RG_BYPASS',
    message: ({ login, roles }) =>
      `"${login}" bypasses row security and inherits ${roles}: it sees and writes every row`,
    hint: ({ login }) => `as a superuser: alter role ${ident(login).text} nobypassrls`,
  },
);

/**
 * $1: our roles, which need no parameter, $2: compiled roles. Privileges on parameters exist in Postgres 15 and later.
 * A login that sets session_replication_role disables presets and foreign keys.
 */
const parametersQuery = `
select p.parname as parameter, pg_catalog.lower(x.privilege_type) as privilege, g.rolname as role
from pg_catalog.pg_parameter_acl p
cross join lateral pg_catalog.aclexplode(p.paracl) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where g.rolname = any ($1::text[])
  or p.parname = 'session_replication_role' and (x.grantee = 0 or not g.rolsuper and exists (
    select 1 from pg_catalog.pg_roles r where r.rolname = any ($2::text[]) and pg_catalog.pg_has_role(g.oid, r.oid, 'USAGE')))
order by 1, 2, 3`;

/** Reports server parameters that a login under rules may set, although only superusers should. */
export const parameters = queryLint<{ parameter: string; privilege: string; role: string | null }>(
  {
    query: parametersQuery,
    values: (seen) => {
      const { model, catalog } = seen.loaded;
      if (catalog.data.serverVersion < 150000) return undefined;
      return [ourRoles(seen), compiledRoles(model)];
    },
  },
  {
    severity: 'error',
    code: 'RG_EXTRA_PRIVILEGE',
    message: ({ parameter, privilege, role }) => {
      const holder = role === null ? 'PUBLIC' : `"${role}"`;
      const effect =
        parameter === 'session_replication_role'
          ? ', which switches presets and foreign keys off'
          : '';
      return `${holder} holds ${privilege} on parameter ${parameter}${effect}`;
    },
    hint: ({ parameter, privilege, role }) =>
      `as a superuser: revoke ${privilege} on parameter ${parameter} from ${role === null ? 'public' : ident(role).text}`,
  },
);

/** $1: compiled roles, $2: the gateway's login, which runs no statements of others, $3: the gateway's role. */
const temporaryQuery = `
select g.rolname as login, pg_catalog.current_database() as database
from pg_catalog.pg_roles g
where g.rolcanlogin and not g.rolsuper and g.rolname <> $2
  and not exists (select from pg_catalog.pg_roles m where m.rolname = $3 and pg_catalog.pg_has_role(g.oid, m.oid, 'MEMBER'))
  and exists (select from pg_catalog.pg_roles r where r.rolname = any ($1::text[]) and pg_catalog.pg_has_role(g.oid, r.oid, 'MEMBER'))
  and not exists (select from pg_catalog.pg_namespace n where n.nspname = 'rowgate' and pg_catalog.pg_has_role(g.oid, n.nspowner, 'USAGE'))
  and pg_catalog.has_database_privilege(g.oid, pg_catalog.current_database(), 'TEMPORARY')
order by 1`;

/**
 * Reports logins that may create temporary tables. Such a table could take the place of a table that a function of a
 * rule reads, and so make rows visible.
 */
export const temporaryObjects = queryLint<{ login: string; database: string }>(
  {
    query: temporaryQuery,
    values: ({ loaded: { model }, login }) =>
      callsFunctions(model)
        ? [compiledRoles(model), login.name, systemRoles(model).gateway]
        : undefined,
  },
  {
    severity: 'error',
    code: 'RG_EXTRA_PRIVILEGE',
    message: ({ login }) =>
      `"${login}" may make temporary tables, which functions that rules call could take for others`,
    hint: ({ login, database }) => revokeTemporary(database, login),
  },
);

/** Returns the statement that denies temporary objects to logins. A login may also have the privilege directly. */
export function revokeTemporary(database: string, login?: string): string {
  const from = login === undefined ? 'public' : `public, ${ident(login).text}`;
  return `as the database's owner: revoke temporary on database ${ident(database).text} from ${from}`;
}

function callsFunctions(model: Model): boolean {
  return [...model.roles.values()].some((role) => {
    const access = roleAccess(role, model);
    if (role.name !== 'admin' && callsOfOwner(access).length > 0) return true;
    const calls = [...access.tables.values()].flatMap(callsOfTable);
    return calls.some(({ asOwner }) => asOwner);
  });
}
