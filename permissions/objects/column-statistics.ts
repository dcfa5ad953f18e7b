import { literal, qualified, type SqlText, sql } from '../text/sql-text.ts';
import type { TableModel } from '../types/tables.ts';
import { desired, label, stateId } from './desired.ts';
import type { DesiredObject } from './types.ts';

/** A column of a table or materialized view. */
export interface TableColumn {
  readonly table: { readonly schema: string; readonly name: string };
  readonly column: string;
}

/**
 * A subquery in SQL: where Postgres keeps statistics about the values of one column. That is the column itself, the
 * same of partitions and inheriting tables, and the expressions of indexes that name it. Postgres records only which
 * index names a column, so all expressions of such an index count.
 * @param table an expression of type oid
 * @param column an expression for the column's name
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

/** One object for each column whose file says `statistics: none`. */
export function statisticsObjects(
  table: TableModel,
  serverVersion: number,
): readonly DesiredObject[] {
  return table.withoutStatistics.map((column) => {
    const turnOff = turnOffStatistics({ table, column }, serverVersion);
    return desired({
      kind: 'statistics',
      id: stateId.statistics(table, column),
      label: statisticsLabel(table, column),
      definition: 'off',
      create: [turnOff],
      alter: [turnOff],
      position: table.position,
    });
  });
}

export function statisticsLabel(table: TableColumn['table'], column: string): string {
  return `statistics: none of ${label(table)}.${column}`;
}

/** Has Postgres collect nothing more about the values of a column, and removes what it has collected. */
function turnOffStatistics(subject: TableColumn, serverVersion: number): SqlText {
  const since18 = serverVersion >= 180000;
  const before = since18 ? '' : removeBefore18(subject);
  return block(`${before}${setTarget(subject, 0, since18 ? clear : '')}`);
}

/** Has Postgres collect them as it does by default, from the next `analyze` on. */
export function turnOnStatistics(subject: TableColumn): SqlText {
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

/** A partitioned table and a parent have statistics with and without what lies below them. */
const clear = `
    perform pg_catalog.pg_clear_attribute_stats(place.nspname, place.relname, place.attname, false);
    perform pg_catalog.pg_clear_attribute_stats(place.nspname, place.relname, place.attname, true);`;

/**
 * Before 18 an owner removes what was collected only by a change of type, to the same one. Postgres refuses it where a
 * view or policy names the column; `check` then reports what stays. It also makes indexes of the column anew, so the
 * target is set afterwards.
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
