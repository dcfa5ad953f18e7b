import { type NamedFunction, namedFunctions } from '../../model/functions/named-functions.ts';
import { ident } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * $1: functions that the metadata names, as JSON. Whose the functions are may change what they do at any time, and what they do in rules
 * they do as whoever applies. A path that does not end in pg_temp has it first for tables, pg_catalog's too.
 */
const query = `
select f.label, p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner, o.rolname as "tableOwner",
  not g.rolsuper and not pg_catalog.pg_has_role(p.proowner, c.relowner, 'USAGE') and p.proowner <> own.nspowner
    and p.proowner <> (select b.datdba from pg_catalog.pg_database b where b.datname = pg_catalog.current_database()) as foreign,
  p.prosqlbody is null and exists (select from pg_catalog.unnest(p.proconfig) s(setting)
    where s.setting like 'search\\_path=%' and s.setting !~ '\\mpg_temp"?$') as temporary
from pg_catalog.jsonb_to_recordset($1::pg_catalog.jsonb) as f(label text, "tableSchema" text, "table" text, schema text, name text, types pg_catalog.jsonb)
join pg_catalog.pg_namespace tn on tn.nspname = f."tableSchema"
join pg_catalog.pg_class c on c.relnamespace = tn.oid and c.relname = f."table"
join pg_catalog.pg_roles o on o.oid = c.relowner
join pg_catalog.pg_namespace n on n.nspname = f.schema
join pg_catalog.pg_proc p on p.pronamespace = n.oid and p.proname = f.name
join pg_catalog.pg_roles g on g.oid = p.proowner
join pg_catalog.pg_namespace own on own.nspname = 'rowgate'
where f.types = (
  select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(yn.nspname, y.typname) order by a.position), '[]')
  from pg_catalog.unnest(p.proargtypes) with ordinality a(type, position)
  join pg_catalog.pg_type y on y.oid = a.type join pg_catalog.pg_namespace yn on yn.oid = y.typnamespace)
order by 1`;

/** Functions of computed fields, and root fields, in the hands of somebody else, or that somebody can mislead. */
export const calledFunctions: DatabaseRule = async ({ client, seen, report }) => {
  const fields = namedFunctions(seen.loaded.model).map(describe);
  if (fields.length === 0) return;
  const { rows } = await client.query<{
    label: string;
    target: string;
    owner: string;
    tableOwner: string;
    foreign: boolean;
    temporary: boolean;
  }>(query, [JSON.stringify(fields)]);
  for (const row of rows) {
    if (row.foreign) {
      report.error(
        'RG_FOREIGN_FUNCTION',
        undefined,
        `${row.label} calls ${row.target}, which "${row.owner}" may change at any time`,
        `run: alter function ${row.target} owner to ${ident(row.tableOwner).text}`,
      );
    }
    if (row.temporary) {
      report.warning(
        'RG_SEARCH_PATH',
        undefined,
        `${row.label} calls ${row.target}, which finds temporary tables of whoever asks before any other`,
        `run: alter function ${row.target} set search_path = … , pg_temp; naming the schemas that its body needs`,
      );
    }
  }
};

function describe({ label, called, table }: NamedFunction) {
  const { schema, name } = called.function;
  const types = called.arguments.map(({ type }) => [type.schema, type.name]);
  return { label, schema, name, types, tableSchema: table.schema, table: table.name };
}
