import { ident, qualified } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/** $1: oids of managed tables. */
const triggersQuery = `
select n.nspname as schema, c.relname as table, t.tgname as name, p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_proc p on p.oid = t.tgfoid and p.prosecdef
join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace and pn.nspname !~ '^rowgate(_|$)'
join pg_catalog.pg_roles g on g.oid = p.proowner
where t.tgrelid = any ($1::oid[]) and not t.tgisinternal and t.tgparentid = 0
order by 1, 2, 3`;

/** Triggers that act with the rights of the owner of their function: what a role may not write, they may. */
export const definerTriggers: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    schema: string;
    table: string;
    name: string;
    target: string;
    owner: string;
  }>(triggersQuery, [seen.tables]);
  for (const row of rows) {
    report.warning(
      'RG_DEFINER_TRIGGER',
      undefined,
      `trigger "${row.name}" on ${row.schema}.${row.table} acts with the rights of "${row.owner}" for every role that writes there`,
      `see what ${row.target} reads and writes, or run: alter function ${row.target} security invoker`,
    );
  }
};

/** $1: oids of managed tables. */
const rewritesQuery = `
select n.nspname as schema, c.relname as table, r.rulename as name
from pg_catalog.pg_rewrite r
join pg_catalog.pg_class c on c.oid = r.ev_class
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where r.ev_class = any ($1::oid[]) and r.ev_enabled <> 'D' and r.ev_type <> '1'
order by 1, 2, 3`;

/** Rewrite rules: what they add runs with the rights of the owner of the table. */
export const rewriteRules: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{ schema: string; table: string; name: string }>(
    rewritesQuery,
    [seen.tables],
  );
  for (const row of rows) {
    report.warning(
      'RG_REWRITE_RULE',
      undefined,
      `rule "${row.name}" on ${row.schema}.${row.table} rewrites what roles do there, and what it adds obeys no policy`,
      `make it a trigger and run: drop rule ${ident(row.name).text} on ${qualified({ schema: row.schema, name: row.table }).text}`,
    );
  }
};
