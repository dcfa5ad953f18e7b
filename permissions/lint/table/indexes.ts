import { ident, identifiers, qualified } from '../../text/sql-text.ts';
import { queryLint } from '../query-lint.ts';

/**
 * $1: oids of managed tables. The query returns indexes that equal another index. Of two equal indexes, it returns the
 * index that can be dropped: a plain index rather than a unique one, an index without a constraint, or else the newer
 * index.
 */
const duplicatesQuery = `
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

/** Reports indexes that equal another index, because they slow down every write and speed up no read. */
export const duplicateIndexes = queryLint<{
  schema: string;
  table: string;
  name: string;
  twin: string;
}>(
  { query: duplicatesQuery, values: ({ tables }) => [tables] },
  {
    severity: 'warning',
    code: 'RG_DUPLICATE_INDEX',
    message: ({ schema, table, name, twin }) =>
      `indexes ${ident(name).text} and ${ident(twin).text} of ${schema}.${table} are the same`,
    hint: ({ schema, name }) => `drop index ${qualified({ schema, name }).text}`,
  },
);

/**
 * $1: oids of managed tables. The query returns foreign keys that no full index (one without a WHERE) supports. Such an
 * index starts with the columns of the key, in any order.
 */
const foreignKeysQuery = `
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

/**
 * Reports foreign keys without an index. For each deleted row that the key may refer to, Postgres reads the whole
 * table.
 */
export const foreignKeyIndexes = queryLint<{
  schema: string;
  name: string;
  key: string;
  columns: string[];
}>(
  { query: foreignKeysQuery, values: ({ tables }) => [tables] },
  {
    severity: 'warning',
    code: 'RG_FK_UNINDEXED',
    message: ({ schema, name, key }) =>
      `no index of ${schema}.${name} begins with the columns of its foreign key ${ident(key).text}`,
    hint: (row) => `create index on ${qualified(row).text} (${identifiers(row.columns).text})`,
  },
);
