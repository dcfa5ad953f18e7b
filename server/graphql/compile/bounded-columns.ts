import { type SQL, sql } from 'postgraphile/pg-sql2';
import { failAboveBytes } from '../limits/answer-bytes.ts';
import { newAlias, TEXT } from './fragments.ts';

/** Expressions to select, and what they are selected from. */
export interface BoundedColumns {
  readonly columns: readonly SQL[];
  readonly source: SQL;
}

/**
 * JSON values as texts, or an error where they are longer together. They are computed one after the other, none once
 * those before it are too long: Postgres would hold all of them until the last one is there.
 */
export function boundedColumns(values: readonly SQL[], maxBytes: number): BoundedColumns {
  const [first, ...others] = values.map((value) => ({ alias: newAlias(), value }));
  if (!first) throw new RangeError('there is nothing to select');
  // `offset 0` keeps the planner from computing a value once for its length and once more for itself.
  const sources = [sql`(select ${first.value}${TEXT} as answer offset 0) ${first.alias}`];
  let bytes = lengthOf(first.alias);
  for (const { alias, value } of others) {
    const text = failAboveBytes(bytes, maxBytes, sql`${value}${TEXT}`);
    const source = sql`(select ${bytes} as before, ${text} as answer offset 0)`;
    // Postgres tries out no other order of so many that are joined in so many words.
    sources.push(sql`cross join lateral ${source} ${alias}`);
    bytes = sql`(${alias}.before operator(pg_catalog.+) ${lengthOf(alias)})`;
  }
  const checked = failAboveBytes(bytes, maxBytes, sql`${first.alias}.answer`);
  return {
    columns: [checked, ...others.map(({ alias }) => sql`${alias}.answer`)],
    source: sql.join(sources, ' '),
  };
}

function lengthOf(alias: SQL): SQL {
  return sql`coalesce(pg_catalog.octet_length(${alias}.answer), 0)`;
}

/** One JSON value as text, or an error where it is longer. */
export function bounded(value: SQL, maxBytes: number): SQL {
  const { columns, source } = boundedColumns([value], maxBytes);
  return sql`(select ${sql.join([...columns], ', ')} from ${source})`;
}
