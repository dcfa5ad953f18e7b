import type pg from 'pg';
import type { Position } from '../diagnostics.ts';
import { apiSchema } from '../text/object-names.ts';
import { ident, join, qualified, type SqlText, sql } from '../text/sql-text.ts';
import { dropNamedView } from './state/drop-named.ts';
import { foundHashed, type HashedRow, hashed, renderedView } from './state/rendered-hash.ts';
import type { DesiredObject, FoundObject, Relation } from './state/state-object.ts';

/** A generated view. The view shows only rows that its owner may read, and has a security barrier. */
export interface View {
  readonly name: Relation;
  readonly label: string;
  readonly owner: string;
  readonly query: SqlText;
  /**
   * The conditions that rows written through the view must satisfy. `local`: the conditions of this view. `cascaded`:
   * also the conditions of the views below. Undefined: no conditions.
   */
  readonly checked?: 'local' | 'cascaded' | undefined;
  /** Statements that set defaults of the view's columns, which supply presets. */
  readonly defaults?: readonly SqlText[];
  readonly position?: Position | undefined;
}

/** Returns the id of a view. The name is enough, because no two schemas of Rowgate have views of the same name. */
const idOf = (name: string) => JSON.stringify(['view', name]);

/**
 * Makes the object of a view. The security barrier makes Postgres evaluate conditions of the reader only on rows that
 * the view shows, so that they cannot reveal other rows.
 */
export function viewObject(view: View): DesiredObject {
  const { name, owner, query, checked, defaults = [], label, position } = view;
  const target = sql`view ${qualified(name)}`;
  const options = checked
    ? sql`security_barrier, check_option = ${ident(checked)}`
    : sql`security_barrier`;
  return hashed({
    kind: 'view',
    id: idOf(name.name),
    label,
    facts: [owner, checked ? `security_barrier=true,check_option=${checked}` : 'security_barrier'],
    body: join([query, ...defaults], '\n'),
    target,
    create: [
      sql`create ${target} with (${options}) as ${query}`,
      ...defaults,
      sql`alter ${target} owner to ${ident(owner)}`,
    ],
    position,
  });
}

/**
 * Reads the views of Rowgate's schemas. The newest views come first, so that each view comes before the views that it
 * reads, and can be dropped before them.
 */
const query = `
select n.nspname as schema, c.relname as name, g.rolname as owner, coalesce(c.reloptions, '{}')::text[] as options,
  pg_catalog.obj_description(c.oid, 'pg_class') as comment, ${renderedView} as rendered
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_roles g on g.oid = c.relowner
where n.nspname in ('rowgate_policy', 'rowgate_api') and c.relkind = 'v'
order by c.oid desc`;

export async function inspectViews(client: pg.ClientBase): Promise<readonly FoundObject[]> {
  const { rows } = await client.query<
    HashedRow & Relation & { readonly owner: string; readonly options: string[] }
  >(query);
  return rows.map((row) => {
    const options = row.options.join();
    const barrier = options === 'security_barrier=true' ? 'security_barrier' : options;
    return foundHashed(row, [row.owner, barrier], {
      kind: 'view',
      id: idOf(row.name),
      ...(row.schema === apiSchema
        ? { label: `view ${row.name}`, drop: [dropNamedView(qualified(row))] }
        : { label: `policy view ${row.name}`, drop: [sql`drop view ${qualified(row)}`] }),
    });
  });
}
