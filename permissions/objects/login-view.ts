import type { Position } from '../diagnostics.ts';
import { qualified, type SqlText, sql } from '../text/sql-text.ts';
import { handOver } from './functions/function.ts';
import { dropNamedView } from './state/drop-named.ts';
import type { InspectContext } from './state/inspect-context.ts';
import { foundHashed, type HashedRow, hashed, renderedView } from './state/rendered-hash.ts';
import {
  type DesiredObject,
  type FoundObject,
  label,
  type Relation,
} from './state/state-object.ts';

/** A view of a role's columns for its direct logins. It reads with the rights of the caller. */
export interface LoginView {
  readonly name: Relation;
  readonly query: SqlText;
  readonly position: Position;
}

const idOf = ({ schema, name }: Relation) => JSON.stringify(['login view', schema, name]);
const labelOf = (name: Relation) => `view ${label(name)} for logins`;

/** Makes the object of a view for direct logins. `security_invoker` applies the row security of the caller. */
export function loginViewObject({ name, query, position }: LoginView): DesiredObject {
  const target = sql`view ${qualified(name)}`;
  return hashed({
    kind: 'login view',
    id: idOf(name),
    label: labelOf(name),
    facts: ['ours', 'security_invoker=true'],
    body: query,
    target,
    create: [sql`create ${target} with (security_invoker = true) as ${query}`, handOver(target)],
    position,
  });
}

/** $1: names of the schemas of views that the installation records. */
const query = `
select n.nspname as schema, c.relname as name, coalesce(c.reloptions, '{}')::text[] as options, g.rolname as owner,
  c.relowner = (select o.nspowner from pg_catalog.pg_namespace o where o.nspname = 'rowgate') as ours,
  pg_catalog.obj_description(c.oid, 'pg_class') as comment, ${renderedView} as rendered
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_roles g on g.oid = c.relowner
where n.nspname = any ($1::text[]) and c.relkind = 'v'
order by c.oid desc`;

export async function inspectLoginViews({
  client,
  query: { installation },
}: InspectContext): Promise<readonly FoundObject[]> {
  const schemas = [...installation.viewSchemas.values()];
  if (schemas.length === 0) return [];
  const { rows } = await client.query<
    HashedRow &
      Relation & { readonly owner: string; readonly ours: boolean; readonly options: string[] }
  >(query, [schemas]);
  return rows.map((row) =>
    foundHashed(row, [row.ours ? 'ours' : row.owner, row.options.join()], {
      kind: 'login view',
      id: idOf(row),
      label: labelOf(row),
      drop: [dropNamedView(qualified(row))],
    }),
  );
}
