import { literal, type SqlText, sql } from '../../text/sql-text.ts';

/** The identity that Postgres prints for an object of a temporary schema contains this. */
const temporary = literal('pg_temp');

/**
 * Drops a function that logins may name in objects of their own. The argument is the signature that Postgres printed
 * and quoted itself. Dependent objects in temporary schemas are dropped, too; otherwise any session could block apply
 * with a temporary view. Any other dependent object still blocks the drop.
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

/** Drops a view in the same way as dropNamedFunction drops a function. */
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
