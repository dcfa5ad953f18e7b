import { literal, sql } from '../../text/sql-text.ts';

/** Name of the cursor that stands on the row to change, for `where current of`. */
export const cursorName = 'rowgate_rows';

const text = sql`pg_catalog.text`;

/**
 * Changes rows one by one through a cursor. It serves updates after which the role may no longer see the row, such as a
 * soft delete. An ordinary update with a WHERE reads rows, and Postgres then requires that a changed row still passes
 * the select policy. `where current of` reads nothing, so only the update policy applies
 * (https://www.postgresql.org/docs/current/sql-createpolicy.html).
 *
 * `rows` is a `select … for update` without columns, with both the select filter and the update filter. `change` is an
 * `update … where current of rowgate_rows`. Both use the values `($1)[3]::type`. The function returns the number of
 * changed rows. Both texts run with the rights of the caller, who could also send them one by one, so the function
 * grants nothing.
 *
 * Statement triggers fire once per row. The function sets no search_path, so that names in triggers resolve as their
 * authors expect; its own names are qualified. In a nested call the cursor gets another name. When the plan of a cursor
 * leaves out a partition, Postgres cannot change its rows through the cursor, so pruning is off while the cursor opens.
 * Triggers run with the settings of the session.
 */
export const updateEach = {
  signature: 'update_each(text, text, text[])',
  target: sql`rowgate_api.update_each(${text}, ${text}, ${text}[])`,
  head: sql`rowgate_api.update_each(rows ${text}, change ${text}, arguments ${text}[])`,
  returns: sql`pg_catalog.int8`,
  traits: sql`language plpgsql volatile security invoker`,
  body: sql`
declare
  rowgate_rows pg_catalog.refcursor := ${literal(cursorName)};
  single pg_catalog.text := $2;
  pruning pg_catalog.text := pg_catalog.current_setting('enable_partition_pruning');
  exclusion pg_catalog.text := pg_catalog.current_setting('constraint_exclusion');
  changed pg_catalog.int8;
  total pg_catalog.int8 := 0;
begin
  while exists (select from pg_catalog.pg_cursors c where c.name operator(pg_catalog.=) rowgate_rows::pg_catalog.text) loop
    rowgate_rows := pg_catalog.concat(rowgate_rows, '_');
    single := pg_catalog.regexp_replace($2, ${literal(`(current[[:space:]]+of[[:space:]]+)${cursorName}[[:>:]]`)}, pg_catalog.concat(pg_catalog.chr(92), '1', rowgate_rows), 'i');
  end loop;
  perform pg_catalog.set_config('enable_partition_pruning', 'off', true), pg_catalog.set_config('constraint_exclusion', 'off', true);
  open rowgate_rows no scroll for execute $1 using $3;
  perform pg_catalog.set_config('enable_partition_pruning', pruning, true), pg_catalog.set_config('constraint_exclusion', exclusion, true);
  loop
    move next from rowgate_rows;
    exit when not found;
    execute single using $3;
    get diagnostics changed = row_count;
    total := total operator(pg_catalog.+) changed;
  end loop;
  close rowgate_rows;
  return total;
end`,
  comment:
    'Runs the second text for each row of the first, with the rights of its caller, and counts what it changed.',
};
