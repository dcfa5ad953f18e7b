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
  return sql`${one} from rowgate_new n ${ifSingle('rowgate_new')};
    if not found then
      ${many} ${ifAny('rowgate_new')};
    end if;`;
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
  return sql`${one} from rowgate_new n cross join rowgate_old o ${ifSingle('rowgate_old')};
    if not found then
      ${many} ${ifAny('rowgate_old')};
    end if;`;
}

function recordDelete(table: TableModel, live: LiveTable): SqlText {
  return sql`${record(table, keysOfRow(live, ['o']), noRows)} from rowgate_old o ${ifSingle('rowgate_old')};
    if not found then
      ${record(table, keysOfRows(live, ['rowgate_old']), noRows)} ${ifAny('rowgate_old')};
    end if;`;
}

function record({ key }: TableModel, keys: SqlText, rows: SqlText): SqlText {
  return sql`insert into rowgate.live_change (table_key, keys, rows) select ${literal(key)}, ${keys}, ${rows}`;
}

const ifSingle = (rows: string) =>
  sql`where (select pg_catalog.count(*) from (select from ${ident(rows)} limit 2) r) operator(pg_catalog.=) 1`;

const ifAny = (rows: string) => sql`where exists (select from ${ident(rows)})`;
