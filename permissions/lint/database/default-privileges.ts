import { ident } from '../../text/sql-text.ts';
import { type DatabaseRule, managedSchemas, ourRoles } from '../inspection.ts';

/** $1: schemas that hold managed tables, $2: our roles. PUBLIC may execute new functions anyway. */
const query = `
select o.rolname as owner, n.nspname as schema, coalesce(g.rolname, 'PUBLIC') as role,
  case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' else 'functions' end as kind,
  pg_catalog.string_agg(distinct pg_catalog.lower(x.privilege_type), ', ' order by pg_catalog.lower(x.privilege_type)) as privileges
from pg_catalog.pg_default_acl d
join pg_catalog.pg_roles o on o.oid = d.defaclrole
left join pg_catalog.pg_namespace n on n.oid = d.defaclnamespace
cross join lateral pg_catalog.aclexplode(d.defaclacl) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where (d.defaclnamespace = 0 or n.nspname = any ($1::text[]))
  and (d.defaclobjtype in ('r', 'S') and x.grantee = 0 or d.defaclobjtype in ('r', 'S', 'f') and g.rolname = any ($2::text[]))
group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

/** What tables yet to be made will open: until the next apply to compiled roles, for good to PUBLIC. */
export const defaultPrivileges: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    owner: string;
    schema: string | null;
    role: string;
    kind: string;
    privileges: string;
  }>(query, [managedSchemas(seen), ourRoles(seen)]);
  for (const { owner, schema, role, kind, privileges } of rows) {
    const to = role === 'PUBLIC' ? 'PUBLIC' : ident(role).text;
    const place = schema === null ? '' : ` in schema ${ident(schema).text}`;
    report.warning(
      'RG_DEFAULT_PRIVILEGE',
      undefined,
      `${to} gets ${privileges} on all ${kind} that "${owner}" will make${place}`,
      `run: alter default privileges for role ${ident(owner).text}${place} revoke all on ${kind} from ${to}`,
    );
  }
};
