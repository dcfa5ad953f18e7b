import { sql } from '../sql/sql-text.ts';

const text = sql`pg_catalog.text`;

/**
 * Changes rows one by one through a cursor. An update with a WHERE obeys the select policy for the row as it becomes,
 * too, so that it cannot take a row out of its role's own sight, as a soft delete does; `where current of` reads
 * nothing and obeys the update policy alone (https://www.postgresql.org/docs/current/sql-createpolicy.html).
 *
 * `rows` is a `select … for update` without columns, of which both the select and the update filter hold; `change` an
 * `update … where current of rowgate_rows`. Both call the values `($1)[3]::type`. Answers how many rows were changed.
 * It runs both texts with the rights of its caller, who could as well send them one by one: it gives nobody more.
 * Triggers for each statement fire once a row.
 */
export const updateEach = {
  signature: 'update_each(text, text, text[])',
  target: sql`rowgate_api.update_each(${text}, ${text}, ${text}[])`,
  head: sql`rowgate_api.update_each(rows ${text}, change ${text}, arguments ${text}[])`,
  returns: sql`pg_catalog.int8`,
  traits: sql`language plpgsql volatile security invoker`,
  body: sql`
declare
  rowgate_rows pg_catalog.refcursor := 'rowgate_rows';
  changed pg_catalog.int8;
  total pg_catalog.int8 := 0;
begin
  open rowgate_rows no scroll for execute $1 using $3;
  loop
    move next from rowgate_rows;
    exit when not found;
    execute $2 using $3;
    get diagnostics changed = row_count;
    total := total operator(pg_catalog.+) changed;
  end loop;
  close rowgate_rows;
  return total;
end`,
  comment:
    'Runs the second text for each row of the first, with the rights of its caller, and counts what it changed.',
};
