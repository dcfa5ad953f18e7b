import { partsOf } from '../../expressions/visit.ts';
import { ident } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { Preset } from '../../types/rules.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * $1: oids of managed tables. The query returns unique and exclusion indexes with the columns of their keys. It skips
 * keys that consist only of uuids, because a caller cannot guess them.
 */
const query = `
select n.nspname as schema, c.relname as table, x.relname as name,
  (select pg_catalog.array_agg(a.attname::text order by a.attnum) from pg_catalog.pg_attribute a
    where a.attrelid = i.indrelid and (a.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1])
      or i.indexprs is not null and exists (select 1 from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = i.indexrelid
          and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = i.indrelid and d.refobjsubid = a.attnum))) as columns
from pg_catalog.pg_index i
join pg_catalog.pg_class x on x.oid = i.indexrelid
join pg_catalog.pg_class c on c.oid = i.indrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where i.indrelid = any ($1::oid[]) and (i.indisunique or i.indisexclusion) and not x.relispartition
  and not (i.indexprs is null and not exists (select 1 from pg_catalog.pg_attribute a
    where a.attrelid = i.indrelid and a.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1])
      and a.atttypid <> 'pg_catalog.uuid'::pg_catalog.regtype))
order by 1, 2, 3`;

/**
 * Reports keys that are unique across the rows of all tenants. When a role writes a value that a hidden row already
 * has, Postgres refuses the write, and so reveals that the hidden row exists.
 */
export const revealingKeys: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    schema: string;
    table: string;
    name: string;
    columns: string[];
  }>(query, [seen.tables]);
  const { model } = seen.loaded;
  const tables = new Map(
    [...model.tables.values()].map((one) => [nameOf(one.schema, one.name), one]),
  );
  for (const row of rows) {
    const table = tables.get(nameOf(row.schema, row.table));
    if (!table) continue;
    const roles = [...model.roles.values()].filter((role) => {
      const rules = role.tables.get(table.key);
      return rules !== undefined && reveals(row.columns, rules);
    });
    if (roles.length === 0) continue;
    report.warning(
      'RG_UNIQUE_REVEALS',
      table.position,
      `unique index ${ident(row.name).text} of ${row.schema}.${row.table} reveals to ${roles.map((role) => role.name).join(', ')} values of rows that they may not see`,
      `let it begin with a column that their rules compare with a session variable`,
    );
  }
};

const nameOf = (schema: string, name: string) => JSON.stringify([schema, name]);

/**
 * Returns whether a role can learn hidden values by writing: it may choose a value of the key, and a row that it cannot
 * see may hold the same value.
 */
function reveals(columns: readonly string[], rules: TablePermissions): boolean {
  const chosen = [...(rules.insert?.columns ?? []), ...(rules.update?.columns ?? [])];
  const scope = scopeOf(rules);
  return (
    scope.size > 0 &&
    columns.some((column) => chosen.includes(column)) &&
    !columns.some((column) => scope.has(column))
  );
}

/**
 * Returns the columns that limit a role to certain rows, such as a tenant's id: columns that its filter or a preset
 * binds to a session variable. The set is empty when the role sees all rows.
 */
function scopeOf(rules: TablePermissions): ReadonlySet<string> {
  const seen = rules.select?.filter ?? rules.insert?.check;
  const presets = [...(rules.insert?.presets ?? []), ...(rules.update?.presets ?? [])];
  return new Set(
    seen && boundColumns(seen).length > 0
      ? [...boundColumns(seen), ...presets.flatMap(boundPreset)]
      : [],
  );
}

function boundPreset({ column, value }: Preset): readonly string[] {
  return value.kind === 'variable' ? [column] : [];
}

/** Returns the columns that a condition compares with a session variable, or by which it follows a relationship. */
function boundColumns(expression: BoolExp): readonly string[] {
  const enters = ({ kind }: BoolExp) => kind === 'and' || kind === 'or' || kind === 'guarded';
  return partsOf(expression, enters).flatMap((part) => {
    if (part.kind === 'related') return part.relationship.columns.map(({ local }) => local);
    if (part.kind !== 'compare' || part.operand.kind !== 'variable') return [];
    return 'field' in part.column ? [] : [part.column.column];
  });
}
