import { ident, literal, type SqlText, sql } from '../../text/sql-text.ts';
import type { LiveTable, TableModel } from '../../types/tables.ts';
import { ownTableCheck } from '../events/event-capture.ts';
import { insertedRows, keysOfRows, movedRows } from './many-rows.ts';
import { insertedRow, keysOfRow, movedRow } from './single-row.ts';

const noRows = sql`'[]'::pg_catalog.json`;

/**
 * Returns the body of the trigger function that records the statements that change rows of a live table. A statement
 * that changes no row records nothing. Most statements change one row, and aggregates would double their price, so these
 * have a plain branch.
 */
export function recordBody(table: TableModel, live: LiveTable): SqlText {
  return sql`
begin
${ownTableCheck(table, 'records the changes of')}
  case tg_op
  when 'INSERT' then
    ${recordInsert(table, live)}
  when 'UPDATE' then
    ${recordUpdate(table, live)}
  when 'DELETE' then
    ${recordDelete(table, live)}
  else
    ${record(table, sql`null`, noRows)};
  end case;
  return null;
end`;
}

function recordInsert(table: TableModel, live: LiveTable): SqlText {
  const streamed = live.cursors.length > 0;
  const one = record(table, keysOfRow(live, ['n']), streamed ? insertedRow(table) : noRows);
  const many = record(
    table,
    keysOfRows(live, ['rowgate_new']),
    streamed ? insertedRows(table) : noRows,
  );
  return oneOrMany(sql`${one} from rowgate_new n`, many, 'rowgate_new');
}

/** Rows are counted before the update, because a trigger may drop a row on its way to another partition. */
function recordUpdate(table: TableModel, live: LiveTable): SqlText {
  const streamed = live.cursors.length > 0;
  const one = record(table, keysOfRow(live, ['n', 'o']), streamed ? movedRow(table, live) : noRows);
  const many = record(
    table,
    keysOfRows(live, ['rowgate_new', 'rowgate_old']),
    streamed ? movedRows(table, live) : noRows,
  );
  return oneOrMany(sql`${one} from rowgate_new n cross join rowgate_old o`, many, 'rowgate_old');
}

function recordDelete(table: TableModel, live: LiveTable): SqlText {
  const one = record(table, keysOfRow(live, ['o']), noRows);
  const many = record(table, keysOfRows(live, ['rowgate_old']), noRows);
  return oneOrMany(sql`${one} from rowgate_old o`, many, 'rowgate_old');
}

/**
 * Runs one statement for a single row, the other for several rows, and none without rows.
 * @param rows the name of the transition table whose rows count
 */
function oneOrMany(one: SqlText, many: SqlText, rows: string): SqlText {
  const from = ident(rows);
  return sql`${one} where (select pg_catalog.count(*) from (select from ${from} limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      ${many} where exists (select from ${from});
    end if;`;
}

function record({ key }: TableModel, keys: SqlText, rows: SqlText): SqlText {
  return sql`insert into rowgate.live_change (table_key, keys, rows) select ${literal(key)}, ${keys}, ${rows}`;
}
