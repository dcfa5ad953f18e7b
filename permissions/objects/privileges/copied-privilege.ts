import { join, literal, type SqlText, sql } from '../../text/sql-text.ts';
import { type InspectContext, lasting } from '../state/inspect-context.ts';
import { type FoundObject, found } from '../state/state-object.ts';

/**
 * Returns the id of a privilege that was granted to a role of the original database, before this database was copied
 * from it.
 */
export const copiedId = (object: string, role: string, privilege: string) =>
  JSON.stringify(['copied privilege', object, role, privilege]);

/**
 * $1: oids of roles of the original database. The query returns their privileges in this database, with names that
 * Postgres has quoted. `replaced`: the object is a view or function that belongs to one of these roles; apply replaces
 * or drops such an object as a whole, so its privileges need no revoke.
 */
const query = `
with granted as (
  select case c.relkind when 'S' then 'sequence' else 'table' end as kind,
    pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname) as target, n.nspname || '.' || c.relname as object, c.relowner as owner,
    null::text as "column", x.grantee, x.privilege_type
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  cross join lateral pg_catalog.aclexplode(c.relacl) x where ${lasting('n.nspname')}
  union all
  select 'table', pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname), n.nspname || '.' || c.relname, c.relowner,
    a.attname, x.grantee, x.privilege_type
  from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  cross join lateral pg_catalog.aclexplode(a.attacl) x where not a.attisdropped and ${lasting('n.nspname')}
  union all
  select case p.prokind when 'p' then 'procedure' else 'function' end, p.oid::pg_catalog.regprocedure::text, p.oid::pg_catalog.regprocedure::text, p.proowner,
    null, x.grantee, x.privilege_type
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  cross join lateral pg_catalog.aclexplode(p.proacl) x where ${lasting('n.nspname')}
  union all
  select 'schema', pg_catalog.quote_ident(n.nspname), n.nspname::text, n.nspowner, null, x.grantee, x.privilege_type
  from pg_catalog.pg_namespace n cross join lateral pg_catalog.aclexplode(n.nspacl) x
)
select g.kind, g.target, g.object, r.rolname as role, g.owner = any ($1::oid[]) as replaced,
  pg_catalog.lower(g.privilege_type) as privilege,
  pg_catalog.string_agg(g."column", ', ' order by g."column") as columns
from granted g join pg_catalog.pg_roles r on r.oid = g.grantee
where g.grantee = any ($1::oid[]) and g.grantee <> g.owner
group by 1, 2, 3, 4, 5, 6 order by 4, 1, 2, 6`;

interface PrivilegeRow {
  readonly kind: string;
  readonly target: string;
  /** The name of the object like `target`, but without quotes, for messages. */
  readonly object: string;
  readonly role: string;
  readonly replaced: boolean;
  readonly privilege: string;
  readonly columns: string | null;
}

/**
 * Reads the privileges that roles of the original database have in this copy of that database. Apply revokes these
 * privileges.
 */
export async function inspectCopiedPrivileges({
  client,
  copied,
}: InspectContext): Promise<readonly FoundObject[]> {
  if (copied.length === 0) return [];
  const { rows } = await client.query<PrivilegeRow>(query, [copied.map(({ oid }) => oid)]);
  return rows.map((row) => {
    const { kind, object, role, privilege, columns } = row;
    return found({
      kind: 'copied privilege',
      id: copiedId(object, role, privilege),
      label: `${privilege} on ${kind} ${object}${columns === null ? '' : ` (${columns})`} of ${role}`,
      definition: columns ?? '*',
      drop: row.replaced ? [] : [revoke(row)],
    });
  });
}

/** Returns the statement that revokes a privilege. Revoking from a whole table also revokes from its columns. */
function revoke({ kind, target, role, privilege }: PrivilegeRow): SqlText {
  const parts = join([privilege, kind, target, role].map(literal), ', ');
  const statement = sql`begin execute pg_catalog.format('revoke %s on %s %s from %I', ${parts}); end`;
  return sql`do ${literal(statement.text)}`;
}
