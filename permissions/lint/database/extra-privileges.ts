import { compiledRoles } from '../../objects/roles/role.ts';
import { ident } from '../../text/sql-text.ts';
import { ourRoles } from '../inspection.ts';
import { queryLint } from '../query-lint.ts';

/** $1: Rowgate's roles. The query returns the roles that may create schemas in this database. */
const makersQuery = `
select d.datname as database, g.rolname as role
from pg_catalog.pg_database d
cross join lateral pg_catalog.aclexplode(d.datacl) x
join pg_catalog.pg_roles g on g.oid = x.grantee
where d.datname = pg_catalog.current_database() and x.privilege_type = 'CREATE' and g.rolname = any ($1::text[])
order by 1, 2`;

/**
 * Reports Rowgate's roles that may create schemas. In a schema of its own, a role could create operators and functions
 * that rules use by mistake.
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

/**
 * $1: Rowgate's roles, none of which needs a privilege on parameters, $2: compiled roles, whose direct logins are
 * checked, too. Such privileges exist in Postgres 15 and later. A login that sets session_replication_role switches
 * presets and foreign keys off.
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

/** Reports server parameters that a direct login or a role of Rowgate may set, although only superusers should. */
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
      const grantee = role === null ? 'PUBLIC' : `"${role}"`;
      const effect =
        parameter === 'session_replication_role'
          ? ', which switches presets and foreign keys off'
          : '';
      return `${grantee} holds ${privilege} on parameter ${parameter}${effect}`;
    },
    hint: ({ parameter, privilege, role }) =>
      `as a superuser: revoke ${privilege} on parameter ${parameter} from ${role === null ? 'public' : ident(role).text}`,
  },
);
