import { literal, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { TableModel } from '../../types/tables.ts';
import { readAppliedObjects } from '../state/applied-objects.ts';
import { type InspectContext, lasting } from '../state/inspect-context.ts';
import {
  type DesiredObject,
  desired,
  type FoundObject,
  found,
  label,
  type Relation,
} from '../state/state-object.ts';

/** A column of a table or materialized view. */
interface TableColumn {
  readonly table: Relation;
  readonly column: string;
}

const idOf = (table: Relation, column: string) =>
  JSON.stringify(['statistics', table.schema, table.name, column]);

const labelOf = ({ table, column }: TableColumn) => `statistics: none of ${label(table)}.${column}`;

/**
 * Returns a subquery for all places where Postgres keeps statistics about the values of one column: the column itself,
 * the same column of partitions and inheriting tables, and the expressions of indexes that use the column. Postgres
 * does not record which expression of an index uses the column, so the result includes all expressions of such an
 * index.
 * @param table an SQL expression of type oid
 * @param column an SQL expression for the name of the column
 */
export const statisticsPlaces = (table: string, column: string): string => `(
  with recursive subject (oid, name) as (
    select ${table}, ${column}
  ), part (oid) as (
    select oid from subject union select i.inhrelid from pg_catalog.pg_inherits i join part p on p.oid = i.inhparent
  ), own as (
    select a.attrelid, a.attnum, false as indexed
    from part p cross join subject s join pg_catalog.pg_attribute a on a.attrelid = p.oid and a.attname = s.name and a.attnum > 0
  ), place as (
    select * from own
    union
    select a.attrelid, a.attnum, true
    from own o
    join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = o.attrelid and d.refobjsubid = o.attnum
    join pg_catalog.pg_index i on i.indexrelid = d.objid and i.indexprs is not null
    join pg_catalog.pg_attribute a on a.attrelid = i.indexrelid and i.indkey[a.attnum - 1] = 0
  )
  select p.attrelid, p.attnum, p.indexed, n.nspname, c.relname, a.attname, a.attstattarget is not distinct from 0 as off
  from place p
  join pg_catalog.pg_attribute a on a.attrelid = p.attrelid and a.attnum = p.attnum
  join pg_catalog.pg_class c on c.oid = p.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
)`;

/** Returns one object for each column that has `statistics: none` in the metadata. */
export function statisticsObjects(
  table: TableModel,
  serverVersion: number,
): readonly DesiredObject[] {
  return table.withoutStatistics.map((column) => {
    const turnOff = turnOffStatistics({ table, column }, serverVersion);
    return desired({
      kind: 'statistics',
      id: idOf(table, column),
      label: labelOf({ table, column }),
      definition: 'off',
      create: [turnOff],
      alter: [turnOff],
      position: table.position,
    });
  });
}

/**
 * Reads the columns whose statistics are turned off. `whole`: Postgres also keeps no statistics about the same values
 * in any other place.
 */
const query = `
select n.nspname as schema, c.relname as name, a.attname as column,
  (select pg_catalog.bool_and(s.off) from ${statisticsPlaces('c.oid', 'a.attname')} s) as whole
from pg_catalog.pg_attribute a
join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'm')
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where a.attstattarget = 0 and a.attnum > 0 and not a.attisdropped and ${lasting('n.nspname')}
  and n.nspname not in ('pg_catalog', 'information_schema')
order by 1, 2, a.attnum`;

/**
 * Returns the columns whose statistics the last apply turned off. An operator may have turned off the statistics of
 * other columns, which apply must not turn on again.
 */
export async function inspectStatistics({
  client,
}: InspectContext): Promise<readonly FoundObject[]> {
  const { rows } = await client.query<Relation & { column: string; whole: boolean }>(query);
  if (rows.length === 0) return [];
  const last = await readAppliedObjects(client);
  return rows
    .map(({ column, whole, ...table }) =>
      found({
        kind: 'statistics',
        id: idOf(table, column),
        label: labelOf({ table, column }),
        definition: whole ? 'off' : 'partly off',
        drop: [turnOnStatistics({ table, column })],
      }),
    )
    .filter((one) => last.has(one));
}

/** Stops the collection of statistics about the values of a column, and removes the existing statistics. */
function turnOffStatistics(subject: TableColumn, serverVersion: number): SqlText {
  const since18 = serverVersion >= 180000;
  const before = since18 ? '' : removeBefore18(subject);
  return block(`${before}${setTarget(subject, 0, since18 ? clear : '')}`);
}

/** Restores the default target, so that the next `analyze` collects statistics again. */
function turnOnStatistics(subject: TableColumn): SqlText {
  return block(setTarget(subject, -1, ''));
}

function block(body: string): SqlText {
  return sql`do ${literal(`declare
  place record;
begin${body}
end`)}`;
}

function placesOf({ table, column }: TableColumn): string {
  const oid = `${literal(qualified(table).text).text}::pg_catalog.regclass::pg_catalog.oid`;
  return statisticsPlaces(oid, literal(column).text);
}

function setTarget(subject: TableColumn, target: 0 | -1, more: string): string {
  return `
  for place in select * from ${placesOf(subject)} s loop
    execute pg_catalog.format(
      case when place.indexed then 'alter index %1$I.%2$I alter column %4$s' else 'alter table only %1$I.%2$I alter column %3$I' end || ' set statistics ${target}',
      place.nspname, place.relname, place.attname, place.attnum);${more}
  end loop;`;
}

/**
 * Removes existing statistics of a column. A partitioned table or a parent has two sets of statistics: with and without
 * the tables below it.
 */
const clear = `
    perform pg_catalog.pg_clear_attribute_stats(place.nspname, place.relname, place.attname, false);
    perform pg_catalog.pg_clear_attribute_stats(place.nspname, place.relname, place.attname, true);`;

/**
 * Removes existing statistics of a column before Postgres 18. In these versions, an owner can do that only by changing
 * the column's type to the same type. Postgres refuses this change when a view or a policy names the column; `rowgate
 * check` then reports the remaining statistics. The change rebuilds the column's indexes, so the statistics target must
 * be set afterwards.
 */
function removeBefore18(subject: TableColumn): string {
  const places = placesOf(subject);
  return `
  begin
    if (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = current_user) then
      delete from pg_catalog.pg_statistic t using ${places} s
        where t.starelid = s.attrelid and t.staattnum = s.attnum;
    elsif exists (select from pg_catalog.pg_stats t join ${places} s
        on t.schemaname = s.nspname and t.tablename = s.relname and t.attname = s.attname) then
      execute (select pg_catalog.format('alter table %s alter column %I type %s%s', a.attrelid::pg_catalog.regclass, a.attname,
          pg_catalog.format_type(a.atttypid, a.atttypmod), ' collate ' || nullif(a.attcollation, 0)::pg_catalog.regcollation)
        from pg_catalog.pg_attribute a
        where a.attrelid = ${literal(qualified(subject.table).text).text}::pg_catalog.regclass and a.attname = ${literal(subject.column).text});
    end if;
  exception
    when lock_not_available or deadlock_detected then raise;
    when others then null;
  end;`;
}
