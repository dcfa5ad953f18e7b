import { ident, identifiers, qualified } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/** $1: oids of managed tables. Keys whose columns no whole index begins with, in any order. */
const query = `
select n.nspname as schema, c.relname as name, f.conname as key,
  (select pg_catalog.array_agg(a.attname::text order by k.position)
    from pg_catalog.unnest(f.conkey) with ordinality k(attnum, position)
    join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.attnum) as columns
from pg_catalog.pg_constraint f
join pg_catalog.pg_class c on c.oid = f.conrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where f.contype = 'f' and f.conparentid = 0 and f.conrelid = any ($1::oid[])
  and not exists (select 1 from pg_catalog.pg_index i where i.indrelid = f.conrelid and i.indisvalid and i.indpred is null
    and (i.indkey::int2[])[0:pg_catalog.cardinality(f.conkey) - 1] @> f.conkey)
order by 1, 2, 3`;

/** Foreign keys that make Postgres read the whole table when a row that they point to goes. */
export const foreignKeyIndexes: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    schema: string;
    name: string;
    key: string;
    columns: string[];
  }>(query, [seen.tables]);
  for (const row of rows) {
    report.warning(
      'RG_FK_UNINDEXED',
      undefined,
      `no index of ${row.schema}.${row.name} begins with the columns of its foreign key ${ident(row.key).text}`,
      `create index on ${qualified(row).text} (${identifiers(row.columns).text})`,
    );
  }
};
