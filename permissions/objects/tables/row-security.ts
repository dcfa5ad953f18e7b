import type { Position } from '../../diagnostics.ts';
import { literal, qualified, sql } from '../../text/sql-text.ts';
import type { InspectContext } from '../state/inspect-context.ts';
import {
  type DesiredObject,
  desired,
  type FoundObject,
  found,
  label,
  type Relation,
} from '../state/state-object.ts';

const idOf = (table: Relation) => JSON.stringify(['row security', table.schema, table.name]);

/** Enables row security on a table: one with rules, or one below a table with rules. */
export function rowSecurityObject(
  table: Relation,
  ruled: Relation & { readonly position: Position },
): DesiredObject {
  return desired({
    kind: 'row security',
    id: idOf(table),
    label: `row security on ${label(table)}`,
    definition: 'enabled',
    create: [
      sql`alter table ${qualified(table)} enable row level security`,
      sql`insert into rowgate.row_security values (${literal(qualified(table).text)}::pg_catalog.regclass) on conflict do nothing`,
    ],
    position: ruled.position,
    impliedBy: idOf(ruled),
  });
}

/**
 * $1: oids of managed tables. The query returns managed tables that have row security, and Rowgate's own tables that
 * lack it.
 */
const query = `
select n.nspname as schema, c.relname as name, c.relrowsecurity as enabled
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = any ($1::oid[]) and c.relrowsecurity
  or n.nspname = 'rowgate' and c.relkind in ('r', 'p') and not c.relrowsecurity`;

export async function inspectRowSecurity(context: InspectContext): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<Relation & { readonly enabled: boolean }>(query, [
    context.query.tables,
  ]);
  return rows.map((row) => (row.enabled ? securedTable(row) : openTable(row)));
}

/**
 * Makes the found object for a table with row security. The object cannot be dropped, so that a table that the metadata
 * no longer names stays closed.
 */
function securedTable(table: Relation): FoundObject {
  return found({
    kind: 'row security',
    id: idOf(table),
    label: `row security on ${label(table)}`,
    definition: 'enabled',
    drop: [],
  });
}

/**
 * Makes the found object for one of Rowgate's own tables that lacks row security. No metadata needs this object, so
 * every plan drops it, and dropping it enables row security.
 */
function openTable(table: Relation): FoundObject {
  return found({
    kind: 'row security',
    id: JSON.stringify(['open table', table.schema, table.name]),
    label: `access to ${label(table)} without row security`,
    definition: 'off',
    drop: [sql`alter table ${qualified(table)} enable row level security`],
  });
}
