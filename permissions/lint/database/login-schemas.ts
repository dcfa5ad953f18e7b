import { name } from '../../rights/statements.ts';
import { queryLint } from '../query-lint.ts';

/**
 * $1: the recorded schemas of views for logins. The query returns the schemas whose owner could change the views. It
 * skips superusers and members of the proper owner, because they may change every object anyway.
 */
const ownerQuery = `
select n.nspname as schema, g.rolname as owner, r.rolname as proper
from pg_catalog.pg_namespace n
join pg_catalog.pg_roles g on g.oid = n.nspowner
join pg_catalog.pg_namespace o on o.nspname = 'rowgate'
join pg_catalog.pg_roles r on r.oid = o.nspowner
where n.nspname = any ($1::text[]) and n.nspowner <> o.nspowner and not g.rolsuper
  and not pg_catalog.pg_has_role(n.nspowner, o.nspowner, 'MEMBER')
order by 1`;

/**
 * Reports schemas of views for logins that belong to another role. Apply must not take such a schema over: its owner may
 * have put objects into it that hide those of Postgres, because logins search the schema first.
 */
export const foreignLoginSchemas = queryLint<{ schema: string; owner: string; proper: string }>(
  { query: ownerQuery, values: ({ installation }) => recorded(installation.viewSchemas) },
  {
    severity: 'error',
    code: 'RG_SCHEMA_WRITABLE',
    message: ({ schema, owner }) =>
      `schema "${schema}", which logins search first for their views, belongs to ${name(owner)}`,
    hint: () => 'drop it, or inspect what it holds and change its owner',
    statements: ({ schema, proper }) => [`alter schema ${name(schema)} owner to ${name(proper)}`],
  },
);

/**
 * $1: the recorded schemas of views for logins. The query returns the objects in these schemas that are no views. Views
 * that Rowgate did not make are drift, and apply drops them. The sequences of columns are left out, because
 * they go with their table.
 */
const contentQuery = `
select n.nspname as schema, i.type || ' ' || i.identity as object, 'drop ' || i.type || ' if exists ' || i.identity as statement
from pg_catalog.pg_namespace n
join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass and d.refobjid = n.oid and d.deptype = 'n'
left join pg_catalog.pg_class c on d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and c.oid = d.objid
cross join lateral pg_catalog.pg_identify_object(d.classid, d.objid, d.objsubid) i
where n.nspname = any ($1::text[]) and c.relkind is distinct from 'v'
  and not (c.relkind is not distinct from 'S' and exists (select from pg_catalog.pg_depend t
    where t.classid = d.classid and t.objid = d.objid and t.deptype in ('a', 'i')))
order by 1, 2`;

/** Reports objects other than views in schemas of views for logins, which could hide objects of Postgres. */
export const loginSchemaContent = queryLint<{
  schema: string;
  object: string;
  statement: string;
}>(
  { query: contentQuery, values: ({ installation }) => recorded(installation.viewSchemas) },
  {
    severity: 'error',
    code: 'RG_SCHEMA_WRITABLE',
    message: ({ schema, object }) =>
      `${object} is in schema "${schema}", which logins search first and which may hold nothing but their views`,
    hint: () => 'drop it, or move it to another schema',
    statements: ({ statement }) => [statement],
  },
);

function recorded(schemas: ReadonlyMap<string, string>): readonly unknown[] | undefined {
  return schemas.size === 0 ? undefined : [[...schemas.values()]];
}
