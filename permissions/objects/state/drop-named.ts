import { literal, type SqlText, sql } from '../../text/sql-text.ts';

/** How Postgres describes an object that only one session can use. */
const temporary = literal('pg_temp');

/**
 * Drops a function that logins may name, by its rendered signature, which Postgres itself quotes. Objects in temporary
 * schemas that depend on it go along, or else a temporary view would hold up apply. Any other dependent object does
 * hold it up.
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

/** Drops a view that logins may name, likewise. */
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
