import { compiledRoles } from '../../objects/role.ts';
import { ident } from '../../text/sql-text.ts';
import { type DatabaseRule, ourRoles } from '../inspection.ts';

/**
 * $1: our roles, who need no parameter at all, $2: compiled roles. Privileges on parameters exist from Postgres 15
 * on. Whoever sets session_replication_role switches presets and foreign keys off.
 */
const query = `
select p.parname as parameter, pg_catalog.lower(x.privilege_type) as privilege, g.rolname as role
from pg_catalog.pg_parameter_acl p
cross join lateral pg_catalog.aclexplode(p.paracl) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where g.rolname = any ($1::text[])
  or p.parname = 'session_replication_role' and (x.grantee = 0 or not g.rolsuper and exists (
    select 1 from pg_catalog.pg_roles r where r.rolname = any ($2::text[]) and pg_catalog.pg_has_role(g.oid, r.oid, 'USAGE')))
order by 1, 2, 3`;

/** Parameters of the server that people who obey rules may set although only superusers should. */
export const parameters: DatabaseRule = async ({ client, seen, report }) => {
  const { loaded } = seen;
  if (loaded.catalog.data.serverVersion < 150000) return;
  const { rows } = await client.query<{
    parameter: string;
    privilege: string;
    role: string | null;
  }>(query, [ourRoles(seen), compiledRoles(loaded.model)]);
  for (const { parameter, privilege, role } of rows) {
    const effect =
      parameter === 'session_replication_role'
        ? ', which switches presets and foreign keys off'
        : '';
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `${role === null ? 'PUBLIC' : `"${role}"`} holds ${privilege} on parameter ${parameter}${effect}`,
      `as a superuser: revoke ${privilege} on parameter ${parameter} from ${role === null ? 'public' : ident(role).text}`,
    );
  }
};
