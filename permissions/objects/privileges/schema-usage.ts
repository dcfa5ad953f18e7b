import { ident, sql } from '../../text/sql-text.ts';
import type { InspectContext } from '../state/inspect-context.ts';
import { type DesiredObject, desired, type FoundObject, found } from '../state/state-object.ts';
import { grantee } from './grant.ts';

const idOf = (schema: string, role: string) => JSON.stringify(['schema', schema, role]);

export function schemaUsage(schema: string, role: string): DesiredObject {
  return desired({
    kind: 'schema',
    id: idOf(schema, role),
    label: `grant usage on schema ${schema} to ${role}`,
    definition: 'USAGE',
    create: [sql`grant usage on schema ${ident(schema)} to ${ident(role)}`],
  });
}

/**
 * $1: oids of Rowgate's roles, $2: oid of a login that Rowgate does not manage, $3: schemas of views for direct logins,
 * in which only the owner may create objects. The query returns privileges on schemas. Only the missing USAGE on
 * rowgate_policy protects the views in that schema, so the query returns the privilege of any role on that schema except
 * the owner.
 */
const query = `
select n.nspname as schema, coalesce(g.rolname, 'public') as role, x.grantee = 0 as public,
  pg_catalog.string_agg(distinct x.privilege_type || case when x.is_grantable then '!' else '' end, ',' order by x.privilege_type || case when x.is_grantable then '!' else '' end) as privileges
from pg_catalog.pg_namespace n
cross join lateral pg_catalog.aclexplode(n.nspacl) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where x.grantee = any ($1::oid[]) and ($2::oid is null or x.grantee <> $2::oid or n.nspname = 'rowgate_api')
  or x.grantee = 0 and n.nspname in ('rowgate_api', 'rowgate_events')
  or x.grantee <> n.nspowner and n.nspname in ('rowgate', 'rowgate_policy')
  or n.nspname = any ($3::text[]) and (x.grantee = 0 or x.privilege_type = 'CREATE' and x.grantee <> n.nspowner)
group by 1, 2, 3`;

export async function inspectSchemaUsage(context: InspectContext): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    role: string;
    public: boolean;
    privileges: string;
  }>(query, [
    context.oids,
    context.foreignLogin ? context.loginOid : null,
    [...context.query.installation.viewSchemas.values()],
  ]);
  return rows.map((row) =>
    found({
      kind: 'schema',
      id: idOf(row.schema, row.role),
      label: `${row.privileges.toLowerCase()} on schema ${row.schema} of ${row.role}`,
      definition: row.privileges,
      drop: [
        // The owner of the policy views has CREATE on the schema while the plan runs. `revoke all` would revoke this
        // privilege, too.
        sql`revoke ${row.privileges === 'USAGE' ? sql`usage` : sql`all`} on schema ${ident(row.schema)} from ${grantee(row)}`,
      ],
    }),
  );
}
