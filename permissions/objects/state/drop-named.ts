import { literal, type SqlText, sql } from '../../text/sql-text.ts';

/** Text that the printed name of an object in a temporary schema contains. */
const temporary = literal('pg_temp');

/**
 * Returns the statement that drops a function on which objects of logins may depend. The statement also drops dependent
 * objects in temporary schemas; otherwise any session could block apply with a temporary view. Any other dependent
 * object still blocks the drop. `signature` is text that Postgres printed and quoted.
 */
export function dropNamedFunction(signature: string): SqlText {
  const called = literal(signature);
  return sql`do ${literal(
    sql`begin
  perform from pg_catalog.pg_depend d
    where d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.refobjid = ${called}::pg_catalog.regprocedure
      and pg_catalog.strpos((pg_catalog.pg_identify_object(d.classid, d.objid, d.objsubid)).identity, ${temporary}) = 0;
  execute pg_catalog.format('drop function %s %s', ${called}::pg_catalog.regprocedure, case when found then 'restrict' else 'cascade' end);
end`.text,
  )}`;
}

/** Returns the statement that drops a view, and treats dependent objects like dropNamedFunction. */
export function dropNamedView(view: SqlText): SqlText {
  const seen = literal(view.text);
  return sql`do ${literal(
    sql`begin
  perform from pg_catalog.pg_depend d
    left join pg_catalog.pg_rewrite w on d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and w.oid = d.objid
    where d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = ${seen}::pg_catalog.regclass
      and d.deptype = 'n' and w.ev_class is distinct from d.refobjid
      and pg_catalog.strpos((pg_catalog.pg_identify_object(d.classid, d.objid, d.objsubid)).identity, ${temporary}) = 0;
  execute pg_catalog.format('drop view %s %s', ${seen}::pg_catalog.regclass, case when found then 'restrict' else 'cascade' end);
end`.text,
  )}`;
}
