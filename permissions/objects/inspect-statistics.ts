import { readAppliedObjects } from './applied-objects.ts';
import { statisticsLabel, statisticsPlaces, turnOnStatistics } from './column-statistics.ts';
import { stateId } from './desired.ts';
import { type Context, found } from './found.ts';
import { lasting } from './inspect-sql.ts';
import type { FoundObject } from './types.ts';

/** Columns without statistics, and whether there are none anywhere else of the same values. */
const query = `
select n.nspname as schema, c.relname as name, a.attname as column,
  (select pg_catalog.bool_and(s.off) from ${statisticsPlaces('c.oid', 'a.attname')} s) as whole
from pg_catalog.pg_attribute a
join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'm')
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where a.attstattarget = 0 and a.attnum > 0 and not a.attisdropped and ${lasting('n.nspname')}
  and n.nspname not in ('pg_catalog', 'information_schema')
order by 1, 2, a.attnum`;

/** Only what the last apply turned off: an operator may turn off those of other columns. */
export async function statistics({ client }: Context): Promise<readonly FoundObject[]> {
  const { rows } = await client.query<{
    schema: string;
    name: string;
    column: string;
    whole: boolean;
  }>(query);
  if (rows.length === 0) return [];
  const last = await readAppliedObjects(client);
  return rows
    .map(({ column, whole, ...table }) =>
      found({
        kind: 'statistics',
        id: stateId.statistics(table, column),
        label: statisticsLabel(table, column),
        definition: whole ? 'off' : 'partly off',
        drop: [turnOnStatistics({ table, column })],
      }),
    )
    .filter((one) => last.has(one));
}
