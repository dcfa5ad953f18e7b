import type { Position } from '../../diagnostics.ts';
import { digest } from '../../text/object-names.ts';
import { literal, type SqlText, sql } from '../../text/sql-text.ts';
import {
  type DesiredObject,
  type DesiredParts,
  desired,
  type FoundObject,
  type FoundParts,
  found,
  made,
} from './state-object.ts';

/**
 * Makes an object whose definition is recorded in its comment. The record is needed because Postgres stores an
 * expression in another form, which cannot be compared with the SQL that Rowgate wrote. The comment is
 * `rowgate:<hash>:<rendered-definition hash> <place in the YAML>`. The first hash is the hash of Rowgate's SQL, and
 * shows whether the rule has changed. The second is the hash of the definition as Postgres rendered it after the
 * creation, and shows whether the object was changed since.
 */
export function hashed(
  parts: Omit<DesiredParts, 'definition' | 'annotate'> & {
    readonly facts: readonly string[];
    readonly body: SqlText;
    /** The object in the syntax of `comment on`, e.g. `policy "x" on "s"."t"`. */
    readonly target: SqlText;
    /** Text for people who read the comment in the database, after the hashes; default: the place in the YAML. */
    readonly note?: string;
  },
): DesiredObject {
  const { facts, body, target, note = place(parts.position), ...rest } = parts;
  const hash = digest(body.text);
  const comment = () => sql`comment on ${target} is ${literal(`rowgate:${hash} ${note}`)}`;
  return desired({
    ...rest,
    definition: JSON.stringify([...facts, hash]),
    note,
    create: () => [...made(parts.create), comment()],
    annotate: () => [comment()],
  });
}

function place(position: Position | undefined): string {
  if (!position) return '';
  return `${position.inFolder ?? position.file}:${position.line}:${position.column}`;
}

/** The columns that a query returns about an object whose comment holds the two hashes. */
export interface HashedRow {
  readonly comment: string | null;
  /** Hash of the definition as Postgres renders it now. */
  readonly rendered: string;
}

/** Makes a found object from its comment. When the rendered-definition hash differs, the object counts as altered. */
export function foundHashed(
  row: HashedRow,
  facts: readonly string[],
  parts: Omit<FoundParts, 'definition' | 'note'>,
): FoundObject {
  const [, hash, rendered, note] =
    /^rowgate:([0-9a-f]{16}):([0-9a-f]{32}) (.*)$/s.exec(row.comment ?? '') ?? [];
  const isIntact = hash !== undefined && rendered === row.rendered;
  return found({
    ...parts,
    definition: isIntact ? JSON.stringify([...facts, hash]) : 'altered',
    note,
  });
}

/** SQL for the rendered-definition hash of policy `p`. */
export const renderedPolicy = `pg_catalog.md5(coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), '') || E'\\n' || coalesce(pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid), ''))`;

/**
 * SQL for the rendered-definition hash of view `c`. It covers the text of the view, and the defaults of its columns,
 * which hold presets.
 */
export const renderedView = `pg_catalog.md5(pg_catalog.pg_get_viewdef(c.oid) || coalesce((
    select pg_catalog.string_agg(d.adnum || ' ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid), E'\\n' order by d.adnum)
    from pg_catalog.pg_attrdef d where d.adrelid = c.oid), ''))`;

/** SQL for the rendered-definition hash of function `p`. */
export const renderedFunction = `pg_catalog.md5(pg_catalog.pg_get_functiondef(p.oid))`;

/**
 * Reads the objects whose comment still lacks the rendered-definition hash, and returns a `comment on …` statement for
 * each.
 */
const recordingQuery = `
with object as (
  select pg_catalog.format('policy %I on %I.%I', p.polname, n.nspname, c.relname) as target,
    pg_catalog.obj_description(p.oid, 'pg_policy') as comment, ${renderedPolicy} as rendered
  from pg_catalog.pg_policy p
  join pg_catalog.pg_class c on c.oid = p.polrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  union all
  select pg_catalog.format('view %I.%I', n.nspname, c.relname), pg_catalog.obj_description(c.oid, 'pg_class'),
    ${renderedView}
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'v' and (n.nspname in ('rowgate_policy', 'rowgate_api')
    or n.nspname in (select s.value from rowgate.installation i cross join lateral pg_catalog.jsonb_each_text(i.view_schemas) s))
  union all
  select pg_catalog.format('function %I.%I(%s)', n.nspname, p.proname, pg_catalog.oidvectortypes(p.proargtypes)), pg_catalog.obj_description(p.oid, 'pg_proc'),
    ${renderedFunction}
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('rowgate_policy', 'rowgate_api') and p.prokind = 'f'
)
select pg_catalog.format('comment on %s is %L', target,
  pg_catalog.regexp_replace(comment, '^rowgate:([0-9a-f]{16}) ', 'rowgate:\\1:' || rendered || ' ')) as statement
from object where comment ~ '^rowgate:[0-9a-f]{16} '`;

/** Records the missing rendered-definition hashes in one round trip, after a plan has created its objects. */
export const recordRenderedHashes = sql`do ${literal(`
  declare
    statement text;
  begin
    for statement in ${recordingQuery} loop
      execute statement;
    end loop;
  end`)}`;
