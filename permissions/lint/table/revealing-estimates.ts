import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogTable, CatalogType } from '../../catalog/types.ts';
import { passesEveryRow } from '../../expressions/combine.ts';
import { grantedColumns } from '../../expressions/granted-columns.ts';
import { baseTableReads } from '../../model/views/view-reads.ts';
import { statisticsPlaces } from '../../objects/tables/statistics.ts';
import type { Model, TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { DatabaseRule } from '../inspection.ts';
import { queryLint } from '../query-lint.ts';
import { directLogins } from './revealing-upserts.ts';

/**
 * Reports columns whose values a role can learn from `explain`, although its rules hide the rows. The planner knows the
 * frequent values of a column from all rows. For leakproof operators, such as `=` of texts, it uses them in its
 * estimates whatever rows the policies show.
 */
export const revealingEstimates: DatabaseRule = async (inspection) => {
  const { loaded } = inspection.seen;
  const logins = await directLogins(inspection);
  for (const role of loaded.model.roles.values()) {
    const names = logins.get(role.postgresName);
    if (names === undefined) continue;
    for (const [key, rules] of role.tables) {
      const columns = revealedColumns(key, rules, loaded);
      if (!rules.select || columns.length === 0) continue;
      inspection.report.warning(
        'RG_ESTIMATE_REVEALS',
        rules.select.position,
        `planner estimates show ${names} how frequent texts are in rows of ${key} that the rules of ${role.name} hide, by ${columns.join(', ')}`,
        'write columns: { …: { statistics: none } } in the table file of those whose texts must stay hidden',
      );
    }
  }
};

type Loaded = { readonly model: Model; readonly catalog: Catalog };

/**
 * Returns the text columns that a role may read although some rows are hidden from it. For a view, the result has the
 * columns of the tables below it, because statistics belong to tables.
 */
function revealedColumns(
  key: TableKey,
  rules: TablePermissions,
  { model, catalog }: Loaded,
): readonly string[] {
  const table = catalog.tables.get(key);
  if (!table || !rules.select || passesEveryRow(rules.select.filter)) return [];
  const reads =
    table.kind === 'v'
      ? baseTableReads(key, catalog)
      : [{ table: key, columns: grantedColumns(rules) }];
  const found = reads.flatMap((read) => {
    const below = catalog.tables.get(read.table);
    const closed = model.tables.get(read.table)?.withoutStatistics ?? [];
    return (
      (below?.columns ?? [])
        .filter(({ name }) => read.columns.includes(name))
        // Postgres keeps no statistics about virtual columns, so estimates cannot reveal their values.
        .filter(({ type, virtual }) => !virtual && isText(catalog.type(type), catalog))
        .filter(({ name }) => !closed.includes(name) && below && !isUnique(below, name))
        .map(({ name }) => (table.kind === 'v' ? `${read.table}.${name}` : name))
    );
  });
  return [...new Set(found)];
}

const texts = ['text', 'varchar', 'bpchar', 'name'];

/**
 * Returns whether a column is compared as text. The planner also treats types as text that Postgres casts to text
 * without a conversion, such as citext.
 */
function isText(type: CatalogType, catalog: Catalog): boolean {
  const base = catalog.base(type);
  if (base.schema === 'pg_catalog') return texts.includes(base.name);
  const text = catalog.builtin('text').oid;
  return catalog.data.coercions.some(({ from, to }) => from === base.oid && to === text);
}

/** Returns whether a column is unique. Such a column has no frequent values that estimates could reveal. */
function isUnique({ primaryKey, uniques }: CatalogTable, column: string): boolean {
  return [primaryKey, ...uniques].some((key) => key.length === 1 && key[0] === column);
}

/**
 * $1: columns with `statistics: none`, as JSON. The query returns those for which Postgres still keeps statistics. The
 * role that runs it must own the table, because other roles do not see all of pg_stats.
 */
const remainsQuery = `
select w.schema || '.' || w."table" || '.' || w."column" as column,
  (select pg_catalog.string_agg(pg_catalog.format('(%L::regclass, %s)', pg_catalog.format('%I.%I', s.nspname, s.relname), s.attnum), ', ' order by s.nspname, s.relname, s.attnum)
    from ${statisticsPlaces('c.oid', 'w."column"')} s
    where exists (select from pg_catalog.pg_stats t where t.schemaname = s.nspname and t.tablename = s.relname and t.attname = s.attname)) as places,
  (select pg_catalog.string_agg(distinct pg_catalog.format('%I.%I', en.nspname, e.stxname), ', ')
    from ${statisticsPlaces('c.oid', 'w."column"')} s
    join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_statistic_ext'::pg_catalog.regclass
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = s.attrelid and d.refobjsubid = s.attnum
    join pg_catalog.pg_statistic_ext e on e.oid = d.objid and e.stxkind && '{m,e}'
    join pg_catalog.pg_namespace en on en.oid = e.stxnamespace) as extended
from pg_catalog.jsonb_to_recordset($1::pg_catalog.jsonb) as w(schema text, "table" text, "column" text)
join pg_catalog.pg_namespace n on n.nspname = w.schema
join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = w."table"
order by 1`;

/** Reports columns that have `statistics: none` but for which Postgres still keeps statistics of earlier times. */
export const remainingStatistics = queryLint<{
  column: string;
  places: string | null;
  extended: string | null;
}>(
  {
    query: remainsQuery,
    values: ({ loaded }) => {
      const columns = [...loaded.model.tables.values()].flatMap(
        ({ schema, name, withoutStatistics }) =>
          withoutStatistics.map((column) => ({ schema, table: name, column })),
      );
      return columns.length === 0 ? undefined : [JSON.stringify(columns)];
    },
  },
  {
    when: ({ places }) => places !== null,
    severity: 'warning',
    code: 'RG_ESTIMATE_REVEALS',
    message: ({ column }) =>
      `the file of ${column} has statistics: none, but earlier statistics remain`,
    hint: ({ places }) =>
      `as a superuser: delete from pg_catalog.pg_statistic where (starelid, staattnum) in (${places})`,
  },
  {
    when: ({ extended }) => extended !== null,
    severity: 'warning',
    code: 'RG_ESTIMATE_REVEALS',
    message: ({ column }) =>
      `the file of ${column} has statistics: none, but extended statistics contain its values`,
    hint: ({ extended }) => `run: drop statistics ${extended}`,
  },
);
