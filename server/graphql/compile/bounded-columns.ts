import { type SQL, sql } from 'postgraphile/pg-sql2';
import { ANSWER_BYTES_SETTING } from '../../db/requests/request-settings.ts';
import { failAboveBytes } from '../limits/answer-bytes.ts';
import { newAlias, TEXT } from './fragments.ts';

/** Expressions for a `select` list and the `from` items that they read. */
export interface BoundedColumns {
  readonly columns: readonly SQL[];
  readonly source: SQL;
}

export interface ByteLimit {
  readonly maxBytes: number;
  /**
   * True if the texts of earlier statements of the transaction count too, because the answer consists of the texts of
   * several statements. The statements are sent and committed together, so only Postgres can refuse their answer.
   */
  readonly isForAll: boolean;
}

/**
 * Converts JSON values to texts, and raises an error when all texts together are too long. Postgres computes the texts
 * in order and stops as soon as they are too long. Otherwise Postgres would hold all texts in memory until the last one
 * is computed.
 */
export function boundedColumns(
  values: readonly SQL[],
  { maxBytes, isForAll }: ByteLimit,
): BoundedColumns {
  const [first, ...others] = values.map((value) => ({ alias: newAlias(), value }));
  if (!first) throw new RangeError('there is nothing to select');
  // `offset 0` prevents the planner from computing a value twice: once for its length and once for the result.
  const sources = [sql`(select ${first.value}${TEXT} as answer offset 0) ${first.alias}`];
  let bytes = lengthOf(first.alias);
  for (const { alias, value } of others) {
    const text = failAboveBytes(bytes, maxBytes, sql`${value}${TEXT}`);
    const source = sql`(select ${bytes} as before, ${text} as answer offset 0)`;
    // Postgres keeps the written order of explicit joins from this number of joins on.
    sources.push(sql`cross join lateral ${source} ${alias}`);
    bytes = sql`(${alias}.before operator(pg_catalog.+) ${lengthOf(alias)})`;
  }
  if (isForAll) {
    const all = newAlias();
    sources.push(sql`cross join lateral (select ${addToSum(bytes)} as bytes offset 0) ${all}`);
    bytes = sql`${all}.bytes`;
  }
  const checked = failAboveBytes(bytes, maxBytes, sql`${first.alias}.answer`);
  return {
    columns: [checked, ...others.map(({ alias }) => sql`${alias}.answer`)],
    source: sql.join(sources, ' '),
  };
}

const SUM = sql.literal(ANSWER_BYTES_SETTING);

function addToSum(bytes: SQL): SQL {
  const before = sql`pg_catalog.current_setting(${SUM})::pg_catalog.int8`;
  const sum = sql`(${before} operator(pg_catalog.+) ${bytes})${TEXT}`;
  return sql`pg_catalog.set_config(${SUM}, ${sum}, true)::pg_catalog.int8`;
}

function lengthOf(alias: SQL): SQL {
  return sql`coalesce(pg_catalog.octet_length(${alias}.answer), 0)`;
}

/** Converts one JSON value to text, with an error when it is too long. */
export function bounded(value: SQL, limit: ByteLimit): SQL {
  const { columns, source } = boundedColumns([value], limit);
  return sql`(select ${sql.join([...columns], ', ')} from ${source})`;
}
