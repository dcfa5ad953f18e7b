import { literal, type SqlText, sql } from '../text/sql-text.ts';

/**
 * Gives a function without arguments to the owner of schema rowgate, whoever applies: a superuser's function would act
 * with more rights than it needs, and nobody but superusers could name it afterwards.
 */
export function handOver(name: SqlText): SqlText {
  const statement = literal(`alter function ${name.text}() owner to %I`);
  return sql`do ${literal(
    sql`begin
  execute pg_catalog.format(${statement}, (select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner where n.nspname operator(pg_catalog.=) 'rowgate'));
end`.text,
  )}`;
}
