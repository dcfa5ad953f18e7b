import { ident, qualified } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * $1: oids of managed tables. Of two equal indexes the one goes that nothing else stands on: the plain one before the
 * unique one, the bare one before that of a constraint, the younger one before the older.
 */
const query = `
with indexes as (
  select i.indexrelid as oid, i.indrelid, i.indisunique, x.relname as name,
    exists (select 1 from pg_catalog.pg_constraint k where k.conindid = i.indexrelid and k.conrelid = i.indrelid) as constrains,
    i.indisreplident,
    pg_catalog.concat_ws('|', x.relam, i.indnkeyatts, i.indkey, i.indclass, i.indoption, i.indcollation,
      pg_catalog.to_jsonb(i)->>'indnullsnotdistinct', pg_catalog.pg_get_expr(i.indpred, i.indrelid),
      '|' || pg_catalog.pg_get_expr(i.indexprs, i.indrelid)) as shape
  from pg_catalog.pg_index i join pg_catalog.pg_class x on x.oid = i.indexrelid
  where i.indrelid = any ($1::oid[]) and i.indisvalid and not i.indisexclusion and not x.relispartition
)
select n.nspname as schema, c.relname as table, a.name, min(b.name) as twin
from indexes a
join indexes b on b.indrelid = a.indrelid and b.shape = a.shape and b.oid <> a.oid
  and (a.indisunique, a.constrains, -a.oid::int8) < (b.indisunique, b.constrains, -b.oid::int8)
join pg_catalog.pg_class c on c.oid = a.indrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where not a.constrains and not a.indisreplident
group by 1, 2, 3 order by 1, 2, 3`;

/** Indexes that cost every write and serve no read that another does not. */
export const duplicateIndexes: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    schema: string;
    table: string;
    name: string;
    twin: string;
  }>(query, [seen.tables]);
  for (const { schema, table, name, twin } of rows) {
    report.warning(
      'RG_DUPLICATE_INDEX',
      undefined,
      `indexes ${ident(name).text} and ${ident(twin).text} of ${schema}.${table} are the same`,
      `drop index ${qualified({ schema, name }).text}`,
    );
  }
};
