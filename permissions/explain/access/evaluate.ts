import pg from 'pg';
import { CommandError } from '../../errors.ts';
import { operandSql } from '../../expressions/print/print-operand.ts';
import { ident, join, literal, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Preset } from '../../types/rules.ts';
import type { Condition } from './condition-tree.ts';
import { type AccessQuestion, keyCondition, valueSql } from './question.ts';

/** A condition with its result for a row. */
export interface EvaluatedCondition {
  readonly words: string;
  /** `unknown` does not let a row through either, as in SQL. */
  readonly result: 'true' | 'false' | 'unknown';
  /** Values of the compared columns; null if the column is null. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Headers of session variables that the condition needs and the principal lacks. */
  readonly missing: readonly string[];
  readonly items: readonly EvaluatedCondition[];
}

/**
 * Evaluates conditions about the row `from` in Postgres. Undefined if there is no such row.
 * @throws CommandError RG_USAGE if a given value does not fit its type, or a condition fails on the row
 */
export async function evaluate(
  client: pg.ClientBase,
  tree: Condition,
  from: SqlText,
  missing: (variables: readonly string[]) => readonly string[],
): Promise<EvaluatedCondition | undefined> {
  const all = partsOf(tree);
  const results = all.map((one) => sql`(${one.sql})::pg_catalog.text`);
  const values = all.flatMap((one) => one.values.map((value) => value.sql));
  const statement = sql`select array[${join(results, ', ')}]::pg_catalog.text[] as results, array[${join(values, ', ')}]::pg_catalog.text[] as values from ${from}`;
  const { rows } = await client.query<Evaluated>(statement.text).catch(refuse);
  const [row] = rows;
  if (!row) return undefined;
  const nextResult = row.results.values();
  const nextValue = row.values.values();
  const build = (part: Condition): EvaluatedCondition => {
    const result = nextResult.next().value ?? 'unknown';
    return {
      words: part.words,
      result: result === 'true' || result === 'false' ? result : 'unknown',
      values: Object.fromEntries(
        part.values.map(({ name }) => [name, nextValue.next().value ?? null]),
      ),
      missing: missing(part.variables),
      items: part.items.map(build),
    };
  };
  return build(tree);
}

interface Evaluated {
  readonly results: (string | null)[];
  readonly values: (string | null)[];
}

/** Values that do not fit their type, and conditions that fail, have a code of class 22; 25006 is a try to write. */
function refuse(cause: unknown): never {
  if (!(cause instanceof pg.DatabaseError) || !/^(22|25006)/.test(cause.code ?? '')) throw cause;
  throw new CommandError('RG_USAGE', `Postgres cannot evaluate the conditions: ${cause.message}`, {
    exitCode: 2,
    cause,
  });
}

/** Returns a condition and all below it, parents first, as `evaluate` reads its results. */
function partsOf(tree: Condition): readonly Condition[] {
  return [tree, ...tree.items.flatMap(partsOf)];
}

/** The existing row of a question. */
export function existingRow(question: AccessQuestion, row: SqlText): SqlText {
  return sql`${qualified(question.table)} as ${row} where ${keyCondition(question, row)}`;
}

/**
 * The row as it would be after a write. Columns of a new row without a value are null, although Postgres would use
 * their default.
 */
export function writtenRow(
  question: AccessQuestion,
  presets: readonly Preset[],
  row: SqlText,
  gatewayRole: string,
): SqlText {
  const { table, values, operation } = question;
  const given = [...values].map(([name, text]) => [name, valueSql(table, name, text)] as const);
  const preset = presets.flatMap(({ column, value }) =>
    value.kind === 'column' ? [] : [[column, operandSql(value, gatewayRole)] as const],
  );
  const pairs = [...given, ...preset].map(
    ([name, value]) =>
      sql`pg_catalog.jsonb_build_object(${literal(name)}, pg_catalog.to_jsonb(${value}))`,
  );
  const json = join([sql`'{}'::pg_catalog.jsonb`, ...pairs], ' operator(pg_catalog.||) ');
  if (operation === 'insert')
    return sql`pg_catalog.jsonb_populate_record(null::${qualified(table)}, ${json}) as ${row}`;
  const before = ident('explained before');
  return sql`${qualified(table)} as ${before}, pg_catalog.jsonb_populate_record(${before}, ${json}) as ${row} where ${keyCondition(question, before)}`;
}
