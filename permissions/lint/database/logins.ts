import { compiledRoles } from '../../objects/roles/role.ts';
import { ident, qualified } from '../../text/sql-text.ts';
import { ourRoles } from '../inspection.ts';
import { queryLint } from '../query-lint.ts';

/**
 * $1: compiled roles. The query returns logins that have the rights of several of them. It skips logins that may act as
 * Rowgate's owner, because they can do everything anyway.
 */
const stackedQuery = `
select m.rolname as login, pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles
from pg_catalog.pg_roles m
join pg_catalog.pg_roles r on r.rolname = any ($1::text[]) and r.oid <> m.oid
where not m.rolsuper and m.rolname <> current_user and pg_catalog.pg_has_role(m.oid, r.oid, 'USAGE')
  and not exists (select 1 from pg_catalog.pg_namespace n where n.nspname = 'rowgate' and pg_catalog.pg_has_role(m.oid, n.nspowner, 'USAGE'))
group by 1 having pg_catalog.count(*) > 1
order by 1`;

/** Reports logins that combine the rights of several roles, because they see more than any of these roles should. */
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
 * $1: compiled roles, $2: oids of managed tables and views, $3: Rowgate's roles. The query returns privileges on these
 * tables that a login has besides those of its compiled role. It skips logins that may act as the owner, because they
 * gain nothing.
 */
const besideQuery = `
with granted as (
  select c.oid, x.* from pg_catalog.pg_class c cross join lateral pg_catalog.aclexplode(c.relacl) x
  union all
  select a.attrelid, x.* from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) x where a.attacl is not null and not a.attisdropped
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

/**
 * Reports privileges on managed tables and views that a login has in addition to those of its compiled role. With them
 * it can read columns that the role's rules do not show.
 */
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
 * $1: compiled roles, $2: oids of managed tables. The query returns logins that have BYPASSRLS and inherit a compiled
 * role. Such a login uses the role's grants, but no policy applies to it, so it reads every row. Logins that may act as
 * an owner of the tables are skipped, because they gain nothing.
 */
const bypassQuery = `
select m.rolname as login, pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles
from pg_catalog.pg_roles m
join pg_catalog.pg_roles r on r.rolname = any ($1::text[]) and r.oid <> m.oid
where m.rolbypassrls and not m.rolsuper and m.rolname <> current_user and pg_catalog.pg_has_role(m.oid, r.oid, 'USAGE')
  and not exists (select 1 from pg_catalog.pg_class c where c.oid = any ($2::oid[]) and pg_catalog.pg_has_role(m.oid, c.relowner, 'USAGE'))
group by 1 order by 1`;

/** Reports logins with BYPASSRLS that inherit a compiled role, because they use its grants without its policies. */
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
