import { loginSchemaComment } from '../text/object-names.ts';
import { ident, literal, sql } from '../text/sql-text.ts';
import { handOver } from './functions/function.ts';
import type { InspectContext } from './state/inspect-context.ts';
import { type DesiredObject, desired, type FoundObject, found } from './state/state-object.ts';

const idOf = (schema: string) => JSON.stringify(['login schema', schema]);

/**
 * Makes the object of a schema that holds the views of a role for its direct logins. Its owner is that of the schema
 * rowgate, so that the migrations of this owner may drop a view that is in their way.
 */
export function loginSchemaObject(schema: string, role: string): DesiredObject {
  const target = sql`schema ${ident(schema)}`;
  const comment = sql`comment on ${target} is ${literal(loginSchemaComment)}`;
  return desired({
    kind: 'login schema',
    id: idOf(schema),
    label: `schema ${schema} of views for ${role}`,
    definition: 'ours',
    create: [sql`create ${target}`, handOver(target), comment],
    alter: [handOver(target), comment],
  });
}

/** $1: names of the schemas of views that the installation records. */
const query = `
select n.nspname as schema, pg_catalog.obj_description(n.oid, 'pg_namespace') as comment,
  n.nspowner = (select o.nspowner from pg_catalog.pg_namespace o where o.nspname = 'rowgate') as ours
from pg_catalog.pg_namespace n
where n.nspname = any ($1::text[])`;

export async function inspectLoginSchemas({
  client,
  query: { installation },
}: InspectContext): Promise<readonly FoundObject[]> {
  const roles = new Map([...installation.viewSchemas].map(([role, one]) => [one, role]));
  if (roles.size === 0) return [];
  const { rows } = await client.query<{ schema: string; ours: boolean; comment: string | null }>(
    query,
    [[...roles.keys()]],
  );
  return rows.map(({ schema, ours, comment }) => {
    const role = roles.get(schema) ?? '';
    return found({
      kind: 'login schema',
      id: idOf(schema),
      label: `schema ${schema} of views for ${role}`,
      definition: ours && comment === loginSchemaComment ? 'ours' : 'altered',
      drop: [
        sql`drop schema ${ident(schema)}`,
        sql`update rowgate.installation set view_schemas = view_schemas - ${literal(role)}`,
      ],
    });
  });
}
