import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { Compilation, RowRequest } from './compilation.ts';
import { jsonObject, newAlias } from './fragments.ts';

/** Longest name that Postgres keeps whole. GraphQL names are ASCII. */
const MAX_NAME = 63;

/** What is asked of a row, as the columns of a subquery and the JSON made of that subquery's rows. */
export interface RowColumns {
  readonly columns: SQL;
  json(subquery: SQL): SQL;
}

/** Compiles the fields of a row. */
export function compileRow(compilation: Compilation, request: RowRequest): RowColumns {
  const fields = [...compilation.fieldsBelow(request.nodes)].map(
    ([key, nodes]) => [key, compilation.compileField(compilation, request, nodes)] as const,
  );
  // `distinct on` wants at least one column, though directives leave out all that is asked.
  if (fields.length === 0) return { columns: sql`1`, json: () => jsonObject([]) };
  // Longer names would be cut; Rowgate's own aliases begin with two underscores, and GraphQL leaves such names to it.
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

/** The JSON of one row: `source` is ` from … where …` of one row at most; null where there is none. */
export function compileSingle(compilation: Compilation, request: RowRequest, source: SQL): SQL {
  const row = compileRow(compilation, request);
  const subquery = newAlias();
  return sql`(select ${row.json(subquery)} from (select ${row.columns}${source}) ${subquery})`;
}
