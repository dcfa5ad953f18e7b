import type { Position } from '../../diagnostics.ts';
import { policySchema } from '../../text/object-names.ts';
import { ident, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import { functionId } from '../functions/function.ts';
import { type InspectContext, lasting } from '../state/inspect-context.ts';
import {
  type DesiredObject,
  desired,
  type FoundObject,
  found,
  label,
  type Relation,
} from '../state/state-object.ts';

/**
 * The moments at which Rowgate's triggers fire, each with the clauses of `create trigger` and the value that pg_trigger
 * stores.
 */
const timings = {
  'before row insert update': {
    event: sql`before insert or update`,
    each: sql`for each row`,
    recorded: '23  ',
  },
  'after statement insert': {
    event: sql`after insert`,
    each: sql`referencing new table as rowgate_new for each statement`,
    recorded: '4  rowgate_new',
  },
  'after statement update': {
    event: sql`after update`,
    each: sql`referencing old table as rowgate_old new table as rowgate_new for each statement`,
    recorded: '16 rowgate_old rowgate_new',
  },
  'after statement delete': {
    event: sql`after delete`,
    each: sql`referencing old table as rowgate_old for each statement`,
    recorded: '8 rowgate_old ',
  },
  'after statement truncate': {
    event: sql`after truncate`,
    each: sql`for each statement`,
    recorded: '32  ',
  },
  'after statement insert update delete truncate': {
    event: sql`after insert or update or delete or truncate`,
    each: sql`for each statement`,
    recorded: '60  ',
  },
} as const satisfies Readonly<
  Record<string, { event: SqlText; each: SqlText; readonly recorded: string }>
>;

interface Trigger {
  readonly name: string;
  readonly on: Relation;
  readonly fires: keyof typeof timings;
  /** Name of a trigger function in the schema rowgate_policy. */
  readonly function: string;
  /** Whether the trigger also fires in sessions that replicate changes (`session_replication_role = replica`). */
  readonly isAlways?: true;
  /** Whether the table is a partition, or inherits from the table of the rules. */
  readonly isBelow?: boolean;
  readonly position: Position;
}

const idOf = (table: Relation, name: string) =>
  JSON.stringify(['trigger', table.schema, table.name, name]);

export function triggerObject(trigger: Trigger): DesiredObject {
  const { name, on, fires, function: called, isAlways = false, isBelow, position } = trigger;
  const { event, each } = timings[fires];
  return desired({
    kind: 'trigger',
    id: idOf(on, name),
    label: `trigger ${name} on ${label(on)}`,
    definition: JSON.stringify([policySchema, called, isAlways ? 'A' : 'O', fires]),
    create: [
      sql`create trigger ${ident(name)} ${event} on ${qualified(on)} ${each} execute function ${qualified({ schema: policySchema, name: called })}()`,
      // `only`: the trigger is not cloned to partitions, and Postgres would look for it there.
      ...(isAlways
        ? [sql`alter table only ${qualified(on)} enable always trigger ${ident(name)}`]
        : []),
    ],
    position,
    impliedBy: isBelow ? functionId(called) : undefined,
  });
}

/**
 * Reads Rowgate's triggers. A trigger of a partitioned table has a clone on every partition. The query also reads the
 * clones, because each clone can be disabled separately.
 */
const query = `
with recursive clone as (
  select t.oid as top, t.oid, t.tgenabled from pg_catalog.pg_trigger t where t.tgname like '!rowgate/%' and t.tgparentid = 0
  union all
  select w.top, t.oid, t.tgenabled from pg_catalog.pg_trigger t join clone w on t.tgparentid = w.oid
)
select n.nspname as schema, c.relname as table, t.tgname as name, fn.nspname as "functionSchema", f.proname as function,
  (select pg_catalog.string_agg(distinct w.tgenabled::text, '') from clone w where w.top = t.oid) as enabled,
  t.tgtype::int as type, coalesce(t.tgoldtable, '') || ' ' || coalesce(t.tgnewtable, '') as rows,
  t.tgqual is null and t.tgattr = ''::pg_catalog.int2vector and t.tgnargs = 0 as plain
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_proc f on f.oid = t.tgfoid
join pg_catalog.pg_namespace fn on fn.oid = f.pronamespace
where t.tgname like '!rowgate/%' and t.tgparentid = 0 and ${lasting('n.nspname')}`;

export async function inspectTriggers(context: InspectContext): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    table: string;
    name: string;
    functionSchema: string;
    function: string;
    enabled: string;
    type: number;
    rows: string;
    plain: boolean;
  }>(query);
  return rows.map((row) => {
    const table = { schema: row.schema, name: row.table };
    return found({
      kind: 'trigger',
      id: idOf(table, row.name),
      label: `trigger ${row.name} on ${label(table)}`,
      definition: JSON.stringify([row.functionSchema, row.function, row.enabled, timingOf(row)]),
      drop: [sql`drop trigger ${ident(row.name)} on ${qualified(table)}`],
    });
  });
}

function timingOf(row: { readonly type: number; readonly rows: string; readonly plain: boolean }) {
  const recorded = `${row.type} ${row.rows}`;
  const known = Object.entries(timings).find(([, timing]) => timing.recorded === recorded);
  return row.plain && known ? known[0] : 'other';
}
