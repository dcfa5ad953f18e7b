import type pg from 'pg';
import type { StateObject } from './state-object.ts';

/**
 * The text of a user-defined view, as Postgres prints it. Apply records the text, because a replaced view shows other
 * rows under the same rules.
 */
export type ViewText = Pick<StateObject, 'id' | 'label' | 'definition'>;

/**
 * $1: oids of tables. The query returns the views among them and, at any depth, the views that these views read,
 * without Postgres's own views.
 */
const query = `
with recursive below (oid) as (
  select c.oid from pg_catalog.pg_class c where c.oid = any ($1::oid[]) and c.relkind in ('v', 'm')
  union select c.oid
  from below b
  join pg_catalog.pg_rewrite w on w.ev_class = b.oid
  join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and d.objid = w.oid
    and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
  join pg_catalog.pg_class c on c.oid = d.refobjid and c.relkind in ('v', 'm')
)
select n.nspname as schema, c.relname as name, pg_catalog.md5(pg_catalog.pg_get_viewdef(c.oid)) as digest
from below b
join pg_catalog.pg_class c on c.oid = b.oid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname not in ('pg_catalog', 'information_schema')
order by 1, 2`;

/** Returns the texts of the views among the given tables, and of the views below them. */
export async function readViewTexts(
  client: pg.ClientBase,
  tables: readonly number[],
): Promise<readonly ViewText[]> {
  const { rows } = await client.query<{ schema: string; name: string; digest: string }>(query, [
    tables,
  ]);
  return rows.map(({ schema, name, digest }) => ({
    id: JSON.stringify(['view text', schema, name]),
    label: `view ${schema}.${name}`,
    definition: digest,
  }));
}
