import type { Position } from '../../diagnostics.ts';
import { ident, identifiers, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import { type InspectContext, lasting } from '../state/inspect-context.ts';
import {
  type DesiredObject,
  desired,
  type FoundObject,
  found,
  label,
  type Relation,
} from '../state/state-object.ts';

/** Every privilege that Postgres has on relations, by its letter in an ACL. */
const privileges = {
  SELECT: sql`select`,
  INSERT: sql`insert`,
  UPDATE: sql`update`,
  DELETE: sql`delete`,
  TRUNCATE: sql`truncate`,
  REFERENCES: sql`references`,
  TRIGGER: sql`trigger`,
  MAINTAIN: sql`maintain`,
  USAGE: sql`usage`,
};

type Privilege = keyof typeof privileges;

export interface Grant {
  readonly privilege: Privilege;
  readonly on: Relation;
  readonly isSequence?: boolean;
  /** Absent: the grant covers the whole relation. */
  readonly columns?: readonly string[] | undefined;
  readonly to: string;
  readonly position?: Position | undefined;
}

const idOf = (relation: Relation, role: string, privilege: string) =>
  JSON.stringify(['grant', relation.schema, relation.name, role, privilege]);

export function grantObject(grant: Grant): DesiredObject {
  const { privilege, on, columns, to, position } = grant;
  return desired({
    kind: 'grant',
    id: idOf(on, to, privilege),
    label: `grant ${privilege.toLowerCase()} on ${label(on)}${columns ? ` (${columns.join(', ')})` : ''} to ${to}`,
    definition: columns ? columns.toSorted().join('\0') : '*',
    create: () => [grantStatement(grant)],
    position,
  });
}

function grantStatement({ privilege, on, isSequence, columns, to }: Grant): SqlText {
  const list = columns ? sql` (${identifiers(columns)})` : sql``;
  const kind = isSequence ? sql`sequence ` : sql``;
  return sql`grant ${privileges[privilege]}${list} on ${kind}${qualified(on)} to ${ident(to)}`;
}

/**
 * $1: oids of Rowgate's roles, $2: oids of managed tables, $3: schemas of views for direct logins. The query returns the
 * privileges of these roles. On Rowgate's own tables, it returns every privilege of a role other than the owner, because
 * only the owner may have any.
 */
const query = `
with granted as (
  select c.oid, null::name as attname, x.* from pg_catalog.pg_class c cross join lateral pg_catalog.aclexplode(c.relacl) x
  union all
  select a.attrelid, a.attname, x.* from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) x
  where a.attacl is not null and not a.attisdropped
)
select n.nspname as schema, c.relname as name, c.relkind as kind, coalesce(g.rolname, 'public') as role,
  x.grantee = 0 as public, x.privilege_type as privilege,
  bool_or(x.attname is null) as whole, bool_or(x.is_grantable) as grantable,
  pg_catalog.array_agg(distinct x.attname::text) filter (where x.attname is not null) as columns
from granted x
join pg_catalog.pg_class c on c.oid = x.oid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_roles g on g.oid = x.grantee
where x.grantee <> c.relowner and ${lasting('n.nspname')}
  and (x.grantee = any ($1::oid[]) or n.nspname = 'rowgate'
    or x.grantee = 0 and (c.oid = any ($2::oid[]) or n.nspname in ('rowgate_api', 'rowgate_policy') or n.nspname = any ($3::text[])))
group by 1, 2, 3, 4, 5, 6`;

interface GrantRow extends Relation, Grantee {
  readonly kind: string;
  readonly privilege: Privilege;
  readonly whole: boolean;
  readonly grantable: boolean;
  readonly columns: string[] | null;
}

export async function inspectGrants(context: InspectContext): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<GrantRow>(query, [
    context.foreignLogin ? context.oids.filter((oid) => oid !== context.loginOid) : context.oids,
    context.query.tables,
    [...context.query.installation.viewSchemas.values()],
  ]);
  return rows.map((row) => {
    const columns = (row.columns ?? []).toSorted().join('\0');
    const extent = row.whole ? `*${columns}` : columns;
    return found({
      kind: 'grant',
      id: idOf(row, row.role, row.privilege),
      label: `${row.privilege.toLowerCase()} on ${label(row)} of ${row.role}`,
      definition: row.grantable ? `${extent} grantable` : extent,
      drop: () => [revoke(row)],
    });
  });
}

/**
 * Returns the statement that revokes a grant. Revoking from a whole table or view also revokes from all of its columns.
 */
function revoke(row: GrantRow): SqlText {
  const privilege = privileges[row.privilege];
  if (!privilege) throw new RangeError(`no privilege ${row.privilege}`);
  const kind = row.kind === 'S' ? sql`sequence ` : sql``;
  return sql`revoke ${privilege} on ${kind}${qualified(row)} from ${grantee(row)}`;
}

/** The grantee of a privilege, as a query returns it. */
export interface Grantee {
  readonly role: string;
  readonly public: boolean;
}

export function grantee(row: Grantee): SqlText {
  return row.public ? sql`public` : ident(row.role);
}
