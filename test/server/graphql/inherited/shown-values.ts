import type pg from 'pg';
import { ask, beginAs } from '../../../permissions/support/as-role.ts';
import { type TableName, tableNames, tables } from './random-roles.ts';

/** Values by column. A hidden value is null or absent. */
export type RowValues = Readonly<Record<string, number | null>>;

/** The visible rows of a table by their number. */
export type Shown = ReadonlyMap<number, RowValues>;

/** Returns the number of a row. Every value except a foreign key contains it. */
export function rowOf(values: RowValues): number {
  const identifying = ['id', 'a', 'b'].flatMap((name) => values[name] ?? []);
  const numbers = new Set(identifying.map((value) => value % 100));
  const [number, ...more] = numbers;
  if (number === undefined || more.length > 0) throw new Error(`no row: ${JSON.stringify(values)}`);
  return number;
}

/** Rows by their numbers. */
export function shownOf(rows: readonly RowValues[]): Shown {
  return new Map(rows.map((row) => [rowOf(row), row]));
}

/** The union of the rows and columns that several roles see. */
export function together(all: readonly Shown[], columns: readonly string[]): Shown {
  const numbers = new Set(all.flatMap((shown) => [...shown.keys()]));
  const rows = [...numbers]
    .sort((a, b) => a - b)
    .map((number) => {
      const value = (name: string) =>
        all
          .map((shown) => shown.get(number)?.[name])
          .find((one) => one !== undefined && one !== null);
      return [
        number,
        Object.fromEntries(columns.map((name) => [name, value(name) ?? null])),
      ] as const;
    });
  return new Map(rows);
}

/** Sorts rows by their numbers, for comparison. */
export function sorted(shown: Shown): readonly (readonly [number, RowValues])[] {
  return [...shown].sort(([a], [b]) => a - b);
}

/** Tables and views that a role may read. */
const readable = `
select quote_ident(c.table_schema) || '.' || quote_ident(c.table_name) as relation,
  coalesce((select t.relname from pg_depend d join pg_rewrite w on w.oid = d.objid and d.classid = 'pg_rewrite'::regclass
    join pg_class v on v.oid = w.ev_class join pg_class t on t.oid = d.refobjid
    where v.relname = c.table_name and v.relkind = 'v' and t.relnamespace = 'public'::regnamespace limit 1), c.table_name) as of,
  string_agg(quote_ident(c.column_name), ', ') as columns
from information_schema.columns c where c.table_schema in ('public', 'rowgate_api')
  and has_column_privilege(format('%I.%I', c.table_schema, c.table_name), c.column_name, 'select') group by c.table_schema, c.table_name`;

/** Reads everything that a Postgres role can read in SQL. Copies of keys count as their columns. */
export async function shownInSql(
  client: pg.Client,
  role: string,
  variables: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<TableName, Shown>> {
  await beginAs(client, { role, variables, known: ['most', 'one'] });
  const { rows } = await ask(client, readable);
  const parts: { readonly of: string | null | undefined; readonly shown: Shown }[] = [];
  // A table without an identifying column has no column that the view lacks.
  const identifying = rows.filter(([, , columns]) => /\b(id|a|b)\b/.test(columns ?? ''));
  for (const [relation, of, columns] of identifying) {
    const text = `select row_to_json(r) from (select ${columns} from ${relation}) r`;
    const read = (await ask(client, text)).rows.map(([json]) => plain(JSON.parse(json ?? '{}')));
    parts.push({ of, shown: shownOf(read) });
  }
  await client.query('rollback');
  return new Map(
    tableNames.map((table) => {
      const all = parts.filter(({ of }) => of === table).map(({ shown }) => shown);
      return [table, together(all, tables[table].columns)];
    }),
  );
}

/** Removes copies of keys, which are visible in more rows than the column. */
function plain(row: RowValues): RowValues {
  const merged: Record<string, number | null> = {};
  for (const [name, value] of Object.entries(row)) {
    const column = name.replace('~', '');
    merged[column] = value ?? merged[column] ?? null;
  }
  return merged;
}
