import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { Compilation, RowRequest } from './compilation.ts';
import { jsonObject, newAlias } from './fragments.ts';

/** Maximum bytes of an identifier; Postgres truncates longer ones. GraphQL names are ASCII. */
const MAX_NAME = 63;

/** The selected fields of a row as columns of a subquery, and the JSON built from the rows of that subquery. */
export interface RowColumns {
  readonly columns: SQL;
  json(subquery: SQL): SQL;
}

/** Compiles the selected fields of a row. */
export function compileRow(compilation: Compilation, request: RowRequest): RowColumns {
  const fields = [...compilation.fieldsBelow(request.nodes)].map(
    ([key, nodes]) => [key, compilation.compileField(compilation, request, nodes)] as const,
  );
  // `distinct on` requires at least one column, even when directives exclude all selected fields.
  if (fields.length === 0) return { columns: sql`1`, json: () => jsonObject([]) };
  // Postgres would truncate longer names. Names with two leading underscores could clash with Rowgate's own aliases;
  // GraphQL reserves this prefix.
  const isShort = fields.every(([key]) => key.length <= MAX_NAME && !key.startsWith('__'));
  const named = fields.map(
    ([key, value], index) => [key, isShort ? key : `c${index}`, value] as const,
  );
  const columns = named.map(([, name, value]) => sql`${value} as ${sql.identifier(name)}`);
  return {
    columns: sql.join(columns, ', '),
    json: (subquery) =>
      isShort
        ? sql`pg_catalog.to_json(${subquery})`
        : jsonObject(named.map(([key, name]) => [key, sql`${subquery}.${sql.identifier(name)}`])),
  };
}

/** Compiles the JSON of one row, or null without a row. `source` is ` from … where …` and returns at most one row. */
export function compileSingle(compilation: Compilation, request: RowRequest, source: SQL): SQL {
  const row = compileRow(compilation, request);
  const subquery = newAlias();
  return sql`(select ${row.json(subquery)} from (select ${row.columns}${source}) ${subquery})`;
}
