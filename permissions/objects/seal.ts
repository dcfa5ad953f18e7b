import { literal, sql } from '../text/sql-text.ts';
import { viewSeal } from './inspect-sql.ts';

/** What the comment on a thing of ours says. */
export interface Seal {
  /** Digest of the SQL that we wrote. */
  readonly hash: string;
  /** Digest of how Postgres rendered it right afterwards. */
  readonly seal: string;
  /** Place in the YAML. */
  readonly note: string;
}

/** Reads `rowgate:<hash>:<seal> <note>`; undefined for anything else, also for what was never sealed. */
export function readSeal(comment: string | null): Seal | undefined {
  const [, hash, seal, note] =
    /^rowgate:([0-9a-f]{16}):([0-9a-f]{32}) (.*)$/s.exec(comment ?? '') ?? [];
  return hash !== undefined && seal !== undefined && note !== undefined
    ? { hash, seal, note }
    : undefined;
}

/**
 * Postgres stores an expression in a form of its own. The seal is a digest of that form, written into the
 * comment once the thing exists, so that a later change by anyone shows without guessing at its rendering.
 * Yields one `comment on …` statement a row for everything that is not sealed yet.
 */
const sealingQuery = `
with thing as (
  select pg_catalog.format('policy %I on %I.%I', p.polname, n.nspname, c.relname) as target,
    pg_catalog.obj_description(p.oid, 'pg_policy') as comment,
    pg_catalog.md5(coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), '') || E'\\n' || coalesce(pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid), '')) as seal
  from pg_catalog.pg_policy p
  join pg_catalog.pg_class c on c.oid = p.polrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  union all
  select pg_catalog.format('view %I.%I', n.nspname, c.relname), pg_catalog.obj_description(c.oid, 'pg_class'),
    ${viewSeal}
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('rowgate_policy', 'rowgate_api') and c.relkind = 'v'
  union all
  select pg_catalog.format('function %I.%I(%s)', n.nspname, p.proname, pg_catalog.oidvectortypes(p.proargtypes)), pg_catalog.obj_description(p.oid, 'pg_proc'),
    pg_catalog.md5(pg_catalog.pg_get_functiondef(p.oid))
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('rowgate_policy', 'rowgate_api') and p.prokind = 'f'
)
select pg_catalog.format('comment on %s is %L', target,
  pg_catalog.regexp_replace(comment, '^rowgate:([0-9a-f]{16}) ', 'rowgate:\\1:' || seal || ' ')) as statement
from thing where comment ~ '^rowgate:[0-9a-f]{16} '`;

/** Seals what is not sealed yet, without a round trip for each thing. */
export const sealAll = sql`do ${literal(`
  declare
    statement text;
  begin
    for statement in ${sealingQuery} loop
      execute statement;
    end loop;
  end`)}`;
