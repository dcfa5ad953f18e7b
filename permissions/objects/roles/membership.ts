import { ident, type SqlText, sql } from '../../text/sql-text.ts';
import type { InspectContext } from '../state/inspect-context.ts';
import { type DesiredObject, desired, type FoundObject, found } from '../state/state-object.ts';
import type { RoleTarget } from './role.ts';

const idOf = (role: string, member: string) => JSON.stringify(['membership', role, member]);

/**
 * Returns the definition of a membership that allows only `set role`. Postgres 16 and later record the options
 * `inherit` and `set` separately; older versions have only the membership itself.
 */
const definitionOf = (serverVersion: number) => (serverVersion >= 160000 ? 'set' : 'member');

export function membershipObject(role: string, member: string, target: RoleTarget): DesiredObject {
  const options: SqlText =
    target.serverVersion >= 160000 ? sql` with inherit false, set true` : sql``;
  return desired({
    kind: 'membership',
    id: idOf(role, member),
    label: `grant ${role} to ${member}`,
    definition: definitionOf(target.serverVersion),
    create: [sql`grant ${ident(role)} to ${ident(member)}${options}`],
  });
}

/**
 * $1: oids of Rowgate's roles, $2: oids of roles that accept no other members, $3: oid of the gateway's login. The
 * query returns memberships in these roles. In Postgres 16 and later, the creator of a role is a member with only the
 * admin option. Such a membership gives no rights, so the query skips it.
 */
const query = `
select g.rolname as role, m.rolname as member, x.member = $3::oid as gateway,
  bool_or(coalesce((pg_catalog.to_jsonb(x)->>'set_option')::bool, true)) as "canSet",
  bool_or(coalesce((pg_catalog.to_jsonb(x)->>'inherit_option')::bool, m.rolinherit)) as inherits,
  bool_or(x.admin_option) as administers
from pg_catalog.pg_auth_members x
join pg_catalog.pg_roles g on g.oid = x.roleid
join pg_catalog.pg_roles m on m.oid = x.member
where x.roleid = any ($1::oid[]) and x.member = $3::oid
  or x.member = any ($1::oid[])
  or x.roleid = any ($2::oid[]) and (coalesce((pg_catalog.to_jsonb(x)->>'set_option')::bool, true)
    or coalesce((pg_catalog.to_jsonb(x)->>'inherit_option')::bool, true)
    or not (x.admin_option and m.rolcreaterole))
group by 1, 2, 3`;

export async function inspectMemberships(context: InspectContext): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    role: string;
    member: string;
    gateway: boolean;
    canSet: boolean;
    inherits: boolean;
    administers: boolean;
  }>(query, [context.oids, context.exclusiveOids, context.loginOid ?? null]);
  const { serverVersion } = context.query;
  return rows.map((row) => {
    const isPlain = serverVersion < 160000 || (row.canSet && !row.inherits);
    return found({
      kind: 'membership',
      id: idOf(row.role, row.member),
      label: `membership of ${row.member} in ${row.role}`,
      definition: isPlain && !row.administers ? definitionOf(serverVersion) : 'other',
      drop: [sql`revoke ${ident(row.role)} from ${ident(row.member)}`],
    });
  });
}
