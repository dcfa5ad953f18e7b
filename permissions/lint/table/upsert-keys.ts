import type pg from 'pg';
import { passesEveryRow } from '../../expressions/combine.ts';
import { ident } from '../../text/sql-text.ts';
import type { RoleModel } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import { type ConflictKey, meetsHiddenRows } from './hidden-conflicts.ts';

/** A unique key by which upserts of a role can read rows that the role may not see. */
export interface RevealingKey {
  readonly table: TableKey;
  readonly role: RoleModel;
  /** One sentence without a full stop. */
  readonly message: string;
  /** An instruction for the user. */
  readonly hint: string;
}

/**
 * $1: keys of tables. The query returns the unique indexes that `on conflict do update` accepts; it accepts neither
 * exclusion constraints nor deferrable constraints. Keys that a caller cannot guess are skipped: uuids, and columns
 * with a volatile default, which never returns a value twice.
 */
const query = `
with builtin as materialized (
  select f.proname || '(' as call from pg_catalog.pg_proc f
  where f.provolatile = 'v' and f.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
)
select t.key as table, n.nspname || '.' || c.relname as shown, x.relname as name,
  array(select a.attname::text from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum = any (k.plain) order by a.attnum) as columns,
  array(select a.attname::text from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum = any (k.read) order by a.attnum) as reads,
  array(select a.attname::text from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum = any (k.read) and a.atthasdef
    and not exists (select 1 from pg_catalog.pg_attrdef d
      cross join lateral (select pg_catalog.pg_get_expr(d.adbin, d.adrelid) as text offset 0) e
      where d.adrelid = c.oid and d.adnum = a.attnum
        and (exists (select 1 from builtin f where pg_catalog.strpos(e.text, f.call) > 0)
          or exists (select 1 from pg_catalog.pg_depend u join pg_catalog.pg_proc f on f.oid = u.refobjid and f.provolatile = 'v'
            where u.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass and u.objid = d.oid
              and u.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass)))
    order by a.attnum) as filled
from pg_catalog.pg_index i
join pg_catalog.pg_class x on x.oid = i.indexrelid
join pg_catalog.pg_class c on c.oid = i.indrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join lateral (select pg_catalog.regexp_replace(n.nspname, '([\\\\.])', '\\\\\\1', 'g') || '.' || pg_catalog.regexp_replace(c.relname, '([\\\\.])', '\\\\\\1', 'g') as key) t
cross join lateral (select p.plain, p.plain || array(select d.refobjsubid::int2 from pg_catalog.pg_depend d
    where i.indexprs is not null and d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = i.indexrelid
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = i.indrelid and d.refobjsubid > 0) as read
  from (select array(select u from pg_catalog.unnest((i.indkey::int2[])[0:i.indnkeyatts - 1]) u where u > 0) as plain) p) k
where t.key = any ($1::text[]) and i.indisunique and i.indimmediate and not i.indisexclusion and not x.relispartition
  and not (i.indexprs is null and not exists (select 1 from pg_catalog.pg_attribute a
    where a.attrelid = i.indrelid and a.attnum = any (k.plain) and a.atttypid <> 'pg_catalog.uuid'::pg_catalog.regtype))
order by 1, 3`;

interface UniqueIndex extends ConflictKey {
  readonly table: TableKey;
  readonly shown: string;
  readonly name: string;
}

/** Returns the keys by which upserts of these roles can read rows that the roles may not see. */
export async function findRevealingKeys(
  client: pg.ClientBase,
  roles: readonly RoleModel[],
): Promise<readonly RevealingKey[]> {
  const tables = new Set(roles.flatMap(upsertTables));
  if (tables.size === 0) return [];
  const { rows } = await client.query<UniqueIndex>(query, [[...tables]]);
  return rows.flatMap((index) =>
    roles.filter((role) => isRevealed(index, role)).map((role) => revealingKey(index, role)),
  );
}

/** Returns the tables on which a role can run upserts although some of their rows are hidden from it. */
function upsertTables({ tables }: RoleModel): readonly TableKey[] {
  return [...tables]
    .filter(
      ([, { select, insert, update }]) =>
        select && insert && update && !passesEveryRow(select.filter),
    )
    .map(([key]) => key);
}

function isRevealed(index: UniqueIndex, { tables }: RoleModel): boolean {
  const rules = tables.get(index.table);
  return rules !== undefined && meetsHiddenRows(index, rules);
}

function revealingKey({ table, shown, name }: UniqueIndex, role: RoleModel): RevealingKey {
  return {
    table,
    role,
    message: `in SQL, ${role.name} reads rows of ${shown} that it may not see by "on conflict do update where", for they may share a key of ${ident(name).text} with its own`,
    hint: 'let the key hold every column that the select filter compares, take a column of the key out of the insert rule, or give the role no update rule',
  };
}
