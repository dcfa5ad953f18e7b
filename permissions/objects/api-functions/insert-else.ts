import { literal, sql } from '../../text/sql-text.ts';

const text = sql`pg_catalog.text`;
const equals = sql`operator(pg_catalog.=)`;

/** True if a nested statement, such as a statement in a trigger, raised the violation, and not the insert itself. */
const isInside = sql`pg_catalog.strpos(pg_catalog.split_part(place, $1, 1), pg_catalog.chr(10)) operator(pg_catalog.>) 0`;

/** True if the violated constraint is $2 `{schema, table, name}`, on the table itself or on one of its partitions. */
const isKey = sql`exists (
        select from pg_catalog.pg_constraint c
        join pg_catalog.pg_class t on t.oid ${equals} c.conrelid
        join pg_catalog.pg_namespace n on n.oid ${equals} t.relnamespace
        join pg_catalog.pg_class x on x.relname ${equals} violated
        join pg_catalog.pg_namespace xn on xn.oid ${equals} x.relnamespace and xn.nspname ${equals} violated_in
        where n.nspname ${equals} ($2)[1] and t.relname ${equals} ($2)[2] and c.conname ${equals} ($2)[3]
          and (x.oid ${equals} c.conindid or exists (
            select from pg_catalog.pg_partition_ancestors(x.oid) a where a.relid ${equals} c.conindid)))`;

/**
 * True if this transaction itself wrote the found row. pg_xact_status only accepts transaction numbers that include the
 * epoch, which xmin lacks, so the SQL adds the epoch.
 */
const isOurs = sql`pg_catalog.pg_xact_status((
        (pg_catalog.pg_current_xact_id()::pg_catalog.text::pg_catalog.int8 operator(pg_catalog.&) (-4294967296)::pg_catalog.int8)
        operator(pg_catalog.|) version::pg_catalog.text::pg_catalog.int8)::pg_catalog.text::pg_catalog.xid8) ${equals} 'in progress'`;

/** SQLSTATE that the function raises when the changed row no longer has the key. */
const anotherRow = literal('RG002');

/**
 * Inserts one row. When its key already exists, changes the existing row instead. The function serves roles that may
 * not read the key, because Postgres refuses `on conflict` to them. It reveals that the row exists, but so does a plain
 * insert that passes all other checks. A violation of another constraint is raised again, and so is a violation of the
 * same constraint inside a trigger.
 *
 * `insertion` is an insert that returns one text, or no row when a trigger suppressed the insert. `finder` opens the
 * cursor `rowgate_rows` on the existing row. The cursor returns whether the caller may see the row (if not, the row
 * does not change) and the version of the row. When `finder` is null, an existing row does not change. `change` is an
 * `update … where current of rowgate_rows` that returns one text like `insertion`.
 *
 * While the change waits for another transaction, that transaction may delete the row or change its key. So the finder
 * runs again afterwards, and the change is rolled back when the changed row no longer has the key. In these cases, and
 * when no row was found, the function starts again, at most twice.
 *
 * All three texts use the values `($1)[3]::type`. They run with the rights of the caller, who could also send them one
 * by one, so the function grants nothing. It returns null when no row was written. Statement triggers fire once per
 * written row. The function sets no search_path, so that names in triggers resolve as their authors expect; its own
 * names are qualified.
 */
export const insertElse = {
  signature: 'insert_else(text, text[], text, text, text[])',
  target: sql`rowgate_api.insert_else(${text}, ${text}[], ${text}, ${text}, ${text}[])`,
  head: sql`rowgate_api.insert_else(insertion ${text}, key ${text}[], finder ${text}, change ${text}, arguments ${text}[])`,
  returns: text,
  traits: sql`language plpgsql volatile security invoker`,
  body: sql`
declare
  rowgate_rows pg_catalog.refcursor;
  answer pg_catalog.text;
  violated pg_catalog.text;
  violated_in pg_catalog.text;
  place pg_catalog.text;
  is_shown pg_catalog.bool;
  version pg_catalog.xid;
  in_the_way pg_catalog.text;
begin
  for attempt in 1..3 loop
    begin
      execute $1 into answer using $5;
      return answer;
    exception when unique_violation then
      get stacked diagnostics violated_in = schema_name, violated = constraint_name, place = pg_exception_context;
      if attempt ${equals} 3 or ${isInside} or not ${isKey} then
        raise;
      end if;
    end;
    if $3 is null then
      return null;
    end if;
    begin
      execute $3 into rowgate_rows using $5;
      continue when rowgate_rows is null;
      fetch next from rowgate_rows into is_shown, version;
      in_the_way := case when version is null then 'nothing' when is_shown then 'row' else 'hidden row' end;
      if in_the_way ${equals} 'row' then
        execute $4 into answer using $5;
      end if;
      close rowgate_rows;
      continue when in_the_way ${equals} 'nothing';
      if in_the_way ${equals} 'hidden row' then
        return null;
      end if;
      execute $3 into rowgate_rows using $5;
      fetch next from rowgate_rows into is_shown, version;
      close rowgate_rows;
      continue when answer is null and version is null;
      if answer is null or ${isOurs} then
        return answer;
      end if;
      raise sqlstate ${anotherRow};
    exception when sqlstate ${anotherRow} then
      null;
    end;
  end loop;
end`,
  comment:
    'Runs the first text, or the others where the key is taken, with the rights of its caller.',
};
