import type pg from 'pg';
import type { Position } from '../../diagnostics.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import { lasting } from '../state/inspect-context.ts';
import { foundHashed, type HashedRow, hashed, renderedPolicy } from '../state/rendered-hash.ts';
import {
  type DesiredObject,
  type FoundObject,
  label,
  type Relation,
} from '../state/state-object.ts';

const commands = {
  select: sql`select`,
  insert: sql`insert`,
  update: sql`update`,
  delete: sql`delete`,
};

export interface Policy {
  readonly name: string;
  readonly on: Relation;
  readonly to: string;
  readonly command: keyof typeof commands;
  readonly using?: SqlText | undefined;
  readonly check?: SqlText | undefined;
  readonly position?: Position | undefined;
}

const idOf = (table: Relation, name: string) =>
  JSON.stringify(['policy', table.schema, table.name, name]);

export function policyObject(policy: Policy): DesiredObject {
  const { name, on, to, command, using, check, position } = policy;
  const target = sql`policy ${ident(name)} on ${qualified(on)}`;
  const body = join(
    [...(using ? [sql`using (${using})`] : []), ...(check ? [sql`with check (${check})`] : [])],
    ' ',
  );
  return hashed({
    kind: 'policy',
    id: idOf(on, name),
    label: `policy ${name} on ${label(on)}`,
    facts: [command, 'permissive', to],
    body,
    target,
    create: () => [
      sql`create ${target} as permissive for ${commands[command]} to ${ident(to)} ${body}`,
    ],
    position,
  });
}

/**
 * The query returns the policies with a name of Rowgate and all policies on Rowgate's own tables. `described`: a comment
 * marks the policy as Rowgate's, and its table is not temporary.
 */
const query = `
with named as materialized (
  select d.polroles, (select pg_catalog.string_agg(coalesce(g.rolname, 'public'), ',' order by g.rolname)
    from pg_catalog.unnest(d.polroles) r(oid) left join pg_catalog.pg_roles g on g.oid = r.oid) as roles
  from (select distinct p.polroles from pg_catalog.pg_policy p) d
)
select n.nspname as schema, c.relname as table, p.polname as name,
  case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end as command,
  p.polpermissive as permissive, named.roles, c.oid as "tableOid", d.description as comment,
  coalesce(d.description like 'rowgate:%' and ${lasting('n.nspname')}, false) as described, ${renderedPolicy} as rendered
from pg_catalog.pg_policy p
join pg_catalog.pg_class c on c.oid = p.polrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join named on named.polroles = p.polroles
left join pg_catalog.pg_description d
  on d.objoid = p.oid and d.classoid = 'pg_catalog.pg_policy'::pg_catalog.regclass and d.objsubid = 0
where pg_catalog.starts_with(p.polname, 'rowgate/') or n.nspname = 'rowgate'`;

export interface PolicyRow extends HashedRow {
  readonly schema: string;
  readonly table: string;
  readonly tableOid: number;
  readonly name: string;
  readonly command: string;
  readonly permissive: boolean;
  readonly roles: string;
  readonly described: boolean;
}

export async function readPolicies(client: pg.ClientBase): Promise<readonly PolicyRow[]> {
  return (await client.query<PolicyRow>(query)).rows;
}

/**
 * Makes the policies on managed tables and on Rowgate's own tables, and Rowgate's policies on all other tables, e.g.
 * tables that the metadata no longer names.
 * @param tables oids of managed tables
 */
export function foundPolicies(
  rows: readonly PolicyRow[],
  tables: readonly number[],
): readonly FoundObject[] {
  const managed = new Set(tables);
  return rows
    .filter((row) => row.described || row.schema === 'rowgate' || managed.has(row.tableOid))
    .map((row) => {
      const table = { schema: row.schema, name: row.table };
      const facts = [row.command, row.permissive ? 'permissive' : 'restrictive', row.roles];
      return foundHashed(row, facts, {
        kind: 'policy',
        id: idOf(table, row.name),
        label: `policy ${row.name} on ${label(table)}`,
        drop: () => [sql`drop policy ${ident(row.name)} on ${qualified(table)}`],
      });
    });
}
