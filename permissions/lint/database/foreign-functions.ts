import { ident } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * $1: oids of managed tables. Functions that run when somebody writes there: triggers, defaults, generated columns,
 * checks, expressions of indexes. Whose they are may change what they do at any time. Below 15 a generated column
 * depends on them as a part of its table.
 */
const query = `
with code as (
  select d.adrelid as relation, 'pg_catalog.pg_attrdef'::pg_catalog.regclass as class, d.oid from pg_catalog.pg_attrdef d where d.adrelid = any ($1::oid[])
  union all select k.conrelid, 'pg_catalog.pg_constraint'::pg_catalog.regclass, k.oid from pg_catalog.pg_constraint k where k.conrelid = any ($1::oid[])
  union all select t.tgrelid, 'pg_catalog.pg_trigger'::pg_catalog.regclass, t.oid from pg_catalog.pg_trigger t
    where t.tgrelid = any ($1::oid[]) and not t.tgisinternal
  union all select i.indrelid, 'pg_catalog.pg_class'::pg_catalog.regclass, i.indexrelid from pg_catalog.pg_index i where i.indrelid = any ($1::oid[])
  union all select c.oid, 'pg_catalog.pg_class'::pg_catalog.regclass, c.oid from pg_catalog.pg_class c where c.oid = any ($1::oid[])
)
select distinct n.nspname as schema, c.relname as table, p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner, o.rolname as "tableOwner"
from code
join pg_catalog.pg_depend d on d.classid = code.class and d.objid = code.oid and d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
join pg_catalog.pg_proc p on p.oid = d.refobjid
join pg_catalog.pg_roles g on g.oid = p.proowner
join pg_catalog.pg_class c on c.oid = code.relation
join pg_catalog.pg_roles o on o.oid = c.relowner
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where not pg_catalog.pg_has_role(p.proowner, c.relowner, 'USAGE') and g.rolname <> current_user
  and p.proowner <> (select b.datdba from pg_catalog.pg_database b where b.datname = pg_catalog.current_database())
order by 1, 2, 3`;

/** Functions of others that tables with rules call, as whoever writes. */
export const foreignFunctions: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    schema: string;
    table: string;
    target: string;
    owner: string;
    tableOwner: string;
  }>(query, [seen.tables]);
  for (const row of rows) {
    report.warning(
      'RG_FOREIGN_FUNCTION',
      undefined,
      `writes to ${row.schema}.${row.table} call ${row.target}, which "${row.owner}" may change at any time`,
      `run: alter function ${row.target} owner to ${ident(row.tableOwner).text}`,
    );
  }
};

const leakproofQuery = `
select p.oid::pg_catalog.regprocedure::text as target
from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where p.proleakproof and n.nspname not in ('pg_catalog', 'information_schema')
  and not exists (select 1 from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e')
order by 1`;

/** Functions that Postgres believes to tell nobody what they are given, and so runs before policies. */
export const leakproofFunctions: DatabaseRule = async ({ client, report }) => {
  const { rows } = await client.query<{ target: string }>(leakproofQuery);
  for (const { target } of rows) {
    report.warning(
      'RG_LEAKPROOF',
      undefined,
      `${target} is marked leakproof: Postgres shows it rows that rules hide`,
      `unless it tells nobody, not by errors either, run: alter function ${target} not leakproof`,
    );
  }
};
