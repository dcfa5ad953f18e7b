import type pg from 'pg';
import { ask, beginAs } from '../../../permissions/support/as-role.ts';
import { type TableName, tableNames, tables } from './random-roles.ts';

/** The values of a row by column. A value that the role may not read is null or absent. */
export type RowValues = Readonly<Record<string, number | null>>;

/** The rows of a table that a role sees, by the number of the row. */
export type Shown = ReadonlyMap<number, RowValues>;

/** Returns the number of a row. The last two digits of every value contain it, except in foreign keys. */
export function rowOf(values: RowValues): number {
  const identifying = ['id', 'a', 'b'].flatMap((name) => values[name] ?? []);
  const numbers = new Set(identifying.map((value) => value % 100));
  const [number, ...more] = numbers;
  if (number === undefined || more.length > 0) throw new Error(`no row: ${JSON.stringify(values)}`);
  return number;
}

/** Returns the rows by their numbers. */
export function shownOf(rows: readonly RowValues[]): Shown {
  return new Map(rows.map((row) => [rowOf(row), row]));
}

/** Returns the union of the rows that several roles see. A value is null if no role sees it. */
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

/** Selects the tables and views that the current role may read: the name, the table behind a view, and the columns. */
const readable = `
select quote_ident(c.table_schema) || '.' || quote_ident(c.table_name) as relation,
  coalesce((select t.relname from pg_depend d join pg_rewrite w on w.oid = d.objid and d.classid = 'pg_rewrite'::regclass
    join pg_class v on v.oid = w.ev_class join pg_class t on t.oid = d.refobjid
    where v.relname = c.table_name and v.relkind = 'v' and t.relnamespace = 'public'::regnamespace limit 1), c.table_name) as of,
  string_agg(quote_ident(c.column_name), ', ') as columns
from information_schema.columns c where c.table_schema in ('public', 'rowgate_api')
  and has_column_privilege(format('%I.%I', c.table_schema, c.table_name), c.column_name, 'select') group by c.table_schema, c.table_name`;

/** Reads everything that a Postgres role can read in SQL, from the tables and the generated views. */
export async function shownInSql(
  client: pg.Client,
  role: string,
  variables: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<TableName, Shown>> {
  await beginAs(client, { role, variables, known: ['most', 'one'] });
  const { rows } = await ask(client, readable);
  const parts: { readonly of: string | null | undefined; readonly shown: Shown }[] = [];
  // Skips tables from which the role reads no numbered column, because the view shows the same columns.
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

/** Merges a copy of a key column (named with `~`) into the column. The copy is visible in more rows, for joins. */
function plain(row: RowValues): RowValues {
  const merged: Record<string, number | null> = {};
  for (const [name, value] of Object.entries(row)) {
    const column = name.replace('~', '');
    merged[column] = value ?? merged[column] ?? null;
  }
  return merged;
}
