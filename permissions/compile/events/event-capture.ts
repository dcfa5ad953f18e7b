import { eventSession } from '../../objects/api-functions/event-session.ts';
import { ident, join, literal, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { EventTrigger } from '../../types/events.ts';
import type { TableModel } from '../../types/tables.ts';

/** Operations in the order in which the generated function handles them. */
export const eventOperations = ['insert', 'update', 'delete'] as const;

export type EventOperation = (typeof eventOperations)[number];

const oldRow = ident('rowgate/old');
const newRow = ident('rowgate/new');

/** Traits of a table for which the generated capture function needs extra checks. */
export interface TableTraits {
  readonly isPartitioned: boolean;
  /** Whether a column may hold a value of type json. Such a value may contain characters that jsonb cannot store. */
  readonly holdsJson: boolean;
}

/** Returns the body of the trigger function that captures the events of a table and of the tables below it. */
export function captureBody(
  table: TableModel,
  triggers: readonly EventTrigger[],
  { isPartitioned, holdsJson }: TableTraits,
): SqlText {
  const branches = eventOperations.flatMap((operation) => {
    const concerned = triggers.filter((trigger) => trigger.operations.has(operation));
    if (concerned.length === 0) return [];
    const inserts = concerned.map(
      (trigger) => sql`${insertStatement(trigger, operation)};\n    fired := fired or found;`,
    );
    const check = operation === 'update' && isPartitioned ? lostRowsCheck : sql``;
    const when = sql`tg_op operator(pg_catalog.=) ${literal(operation.toUpperCase())}`;
    return [sql`if ${when} then${check}\n    ${join(inserts, '\n    ')}\n  end if;`];
  });
  return sql`
#variable_conflict use_column
declare
  fired pg_catalog.bool := false;
begin
${ownTableCheck(table, 'captures the events of')}
  ${holdsJson ? hidingValues(join(branches, '\n  '), table) : join(branches, '\n  ')}
  if fired then
    perform pg_catalog.pg_notify('rowgate_event', '');
  end if;
  return null;
end`;
}

/**
 * Wraps the code so that a value which jsonb cannot store raises an error that does not quote the value. Postgres's own
 * message would quote the value, even to a writer who may not read the column.
 */
function hidingValues(branches: SqlText, table: TableModel): SqlText {
  const label = `${table.schema}.${table.name}`;
  const message = `an event trigger of ${label} cannot tell a row that holds \\u0000 in json`;
  return sql`begin
  ${branches}
  exception when untranslatable_character then
    raise exception using errcode = '22P05', message = ${literal(message)};
  end;`;
}

/**
 * Makes a trigger function refuse to run for a trigger on another table, unless that table is below its own. Otherwise a
 * role that may create triggers could attach the function to a table of its own, and rows of that table would be reported
 * as rows of this table.
 * @param deed completes the message "this function … another table"
 */
export function ownTableCheck(table: TableModel, deed: string): SqlText {
  const own = sql`${literal(qualified(table).text)}::pg_catalog.regclass`;
  // Postgres evaluates the first condition without a query, because it has no subquery.
  return sql`  if tg_relid operator(pg_catalog.<>) ${own} then
    if not exists (
      with recursive above(relid) as (
        select tg_relid
        union
        select i.inhparent from pg_catalog.pg_inherits i join above a on i.inhrelid operator(pg_catalog.=) a.relid)
      select from above a where a.relid operator(pg_catalog.=) ${own}) then
      raise exception using errcode = '42501', message = ${literal(`this function ${deed} another table`)};
    end if;
  end if;`;
}

/**
 * Raises an error when an update has lost rows. An update that moves a row to another partition inserts the row there
 * again, and a trigger may cancel that insert. Then the numbers of the remaining old and new rows would no longer
 * match.
 */
const lostRowsCheck = sql`
    if (select pg_catalog.count(*) from rowgate_old) operator(pg_catalog.<>) (select pg_catalog.count(*) from rowgate_new) then
      raise exception using errcode = '27000', message = 'rows were dropped on their way to another partition, and event triggers cannot tell which';
    end if;`;

function insertStatement(trigger: EventTrigger, operation: EventOperation): SqlText {
  const { name, table } = trigger;
  const { from, before, after, key } = sources[operation](trigger);
  const facts = [name, table.schema, table.name, operation.toUpperCase()].map(literal);
  return sql`insert into rowgate_events.event (trigger, table_schema, table_name, op, data, session_variables, order_key)
    select ${join(facts, ', ')},
      pg_catalog.jsonb_build_object('old', ${before}, 'new', ${after}),
      (select ${eventSession}), ${key}
    ${from}`;
}

interface Source {
  readonly from: SqlText;
  readonly before: SqlText;
  readonly after: SqlText;
  readonly key: SqlText;
}

const absent = sql`null::pg_catalog.jsonb`;

const sources: Readonly<Record<EventOperation, (trigger: EventTrigger) => Source>> = {
  insert: (trigger) => ({
    from: sql`from rowgate_new ${newRow}`,
    before: absent,
    after: rowData(trigger, (column) => sql`${newRow}.${ident(column)}`, sql`${newRow}.*`),
    key: orderKey(trigger, (column) => sql`${newRow}.${ident(column)}`),
  }),
  delete: (trigger) => ({
    from: sql`from rowgate_old ${oldRow}`,
    before: rowData(trigger, (column) => sql`${oldRow}.${ident(column)}`, sql`${oldRow}.*`),
    after: absent,
    key: orderKey(trigger, (column) => sql`${oldRow}.${ident(column)}`),
  }),
  update: updateSource,
};

/**
 * Pairs the old and the new version of each updated row. Both arrive in the order of the updates, so rows with equal
 * numbers belong together. Pairing by number works without a key, and also when the update changes the key. A row
 * counts as changed when its bytes differ, because not every type has an equality operator: `1.0` differs from `1.00`,
 * and upper case from lower case.
 */
function updateSource(trigger: EventTrigger): Source {
  const used = [
    ...new Set([
      ...(trigger.columns ?? []),
      ...(trigger.payload ?? []),
      ...(trigger.orderKey ?? []),
    ]),
  ];
  const alias = (column: string) => ident(`c${used.indexOf(column) + 1}`);
  const numbered = (rows: SqlText, row: SqlText) => {
    const columns = used.map((column) => sql`, ${row}.${ident(column)} as ${alias(column)}`);
    // `coalesce` makes the alias mean the whole row. The bare alias would mean a column, if the table has a column of
    // that name.
    const whole = sql`, coalesce(${row}.*) as whole`;
    const needed = trigger.columns && trigger.payload ? sql`` : whole;
    return sql`(select pg_catalog.row_number() over () as place${needed}${join(columns, '')} from ${rows} ${row})`;
  };
  const side = (name: SqlText) => (column: string) => sql`${name}.${alias(column)}`;
  const compared = (name: SqlText) =>
    trigger.columns
      ? sql`row(${join(trigger.columns.map(side(name)), ', ')})::pg_catalog.record`
      : sql`${name}.whole`;
  const o = sql`o`;
  const n = sql`n`;
  return {
    from: sql`from ${numbered(sql`rowgate_old`, oldRow)} o
    join ${numbered(sql`rowgate_new`, newRow)} n on n.place operator(pg_catalog.=) o.place
    where ${compared(o)} operator(pg_catalog.*<>) ${compared(n)}
    order by n.place`,
    before: rowData(trigger, side(o), sql`o.whole`),
    after: rowData(trigger, side(n), sql`n.whole`),
    key: orderKey(trigger, side(n)),
  };
}

/** Prints a row as JSON: all columns, or only those that the payload of the event contains. */
function rowData(
  { payload }: EventTrigger,
  value: (column: string) => SqlText,
  whole: SqlText,
): SqlText {
  if (!payload) return sql`pg_catalog.to_jsonb(${whole})`;
  const columns = payload.map((column) => sql`${value(column)} as ${ident(column)}`);
  return sql`(select pg_catalog.to_jsonb(${sentRow}.*) from (select ${join(columns, ', ')}) ${sentRow})`;
}

const sentRow = ident('rowgate/sent');

function orderKey(
  { orderKey: columns }: EventTrigger,
  value: (column: string) => SqlText,
): SqlText {
  if (!columns) return sql`null`;
  return sql`pg_catalog.jsonb_build_array(${join(columns.map(value), ', ')})::pg_catalog.text`;
}
