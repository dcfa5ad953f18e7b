import type pg from 'pg';
import { CommandError } from '../../errors.ts';
import type { RequestScope } from '../../rights/act-as.ts';
import { readOnly } from '../../rights/savepoints.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import { integer, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import { setPrincipal } from '../access/principal.ts';
import { equalities, valueSql } from '../access/question.ts';
import {
  asReader,
  type Key,
  keyColumns,
  keyTexts,
  merged,
  type RowsSubject,
  readRows,
  row,
  type SeenRow,
  sourceOf,
  type Values,
  valueList,
} from './read-rows.ts';

/** The question which rows of a table a principal sees. */
export interface RowsQuestion extends RowsSubject {
  /** The key behind which the rows begin, as texts by column. Empty: the first rows. */
  readonly after: ReadonlyMap<string, string>;
  /** Whether rows that the principal does not see are listed, too. Needs a primary key. */
  readonly withHidden: boolean;
}

export interface SeenRows {
  readonly rows: readonly SeenRow[];
  /** Whether more rows follow. */
  readonly hasMore: boolean;
}

const pageSize = 50;

/**
 * Lists rows of a table with the rules that are applied to the database, ordered by key. Postgres chooses the rows and
 * reads their values under the role of the principal; the login reads the other values of the same rows. Must run in a
 * transaction of the login that applies rules; the caller rolls it back.
 * @throws CommandError RG_USAGE for unknown columns, and if Postgres refuses the statement of the principal
 */
export async function listRows(
  client: pg.ClientBase,
  question: RowsQuestion,
  scope: RequestScope,
): Promise<SeenRows> {
  checkColumns(question);
  const { principal, table, withHidden } = question;
  await setPrincipal(client, principal, scope);
  const hasRule = principal.role.tables.get(table.key)?.select !== undefined;
  if (table.primaryKey.length === 0) {
    return hasRule ? rowsWithoutKey(client, question, scope.model) : { rows: [], hasMore: false };
  }
  if (!hasRule && !withHidden) return { rows: [], hasMore: false };
  const list = keyList(question);
  const found = withHidden
    ? await readOnly(client, () => keysIn(client, list))
    : await asReader(client, question, () => keysIn(client, list));
  const rows = await readRows(client, question, found.slice(0, pageSize), scope.model);
  return { rows, hasMore: found.length > pageSize };
}

/** Lists rows that no key identifies. The other values of the same rows cannot be found. */
async function rowsWithoutKey(
  client: pg.ClientBase,
  question: RowsQuestion,
  model: Model,
): Promise<SeenRows> {
  const { table, match } = question;
  const { relation, columns } = sourceOf(question, model);
  const where = join([sql`true`, ...equalities(table, match, row)], ' and ');
  const text = sql`select ${valueList(columns)} as values from ${relation} as ${row} where ${where} limit ${integer(pageSize + 1)}`;
  const { rows } = await asReader(client, question, () =>
    client.query<{ readonly values: Values }>(text.text),
  );
  const unread = [...table.columns.keys()].map(() => null);
  const found = rows
    .slice(0, pageSize)
    .map(({ values }) => merged([], unread, values, { table, columns }));
  return { rows: found, hasMore: rows.length > pageSize };
}

/** Returns the statement that lists keys. It reads the table itself, whose policies decide about all views of it. */
function keyList({ table, match, after }: RowsQuestion): SqlText {
  const keys = keyColumns(table);
  const last = table.primaryKey.map((name) => valueSql(table, name, after.get(name) ?? ''));
  const parts = [
    sql`true`,
    ...equalities(table, match, row),
    ...(after.size > 0 ? [sql`(${join(keys, ', ')}) > (${join(last, ', ')})`] : []),
  ];
  return sql`select ${keyTexts(table)} as key from ${qualified(table)} as ${row} where ${join(parts, ' and ')} order by ${join(keys, ', ')} limit ${integer(pageSize + 1)}`;
}

async function keysIn(client: pg.ClientBase, list: SqlText): Promise<readonly Key[]> {
  const { rows } = await client.query<{ readonly key: Key }>(list.text);
  return rows.map(({ key }) => key);
}

/** @throws CommandError RG_USAGE */
function checkColumns({ table, match, after }: RowsQuestion): void {
  for (const name of match.keys()) {
    if (table.columns.has(name)) continue;
    throw usage(
      `${table.key} has no column ${quote(name)}`,
      didYouMean(name, table.columns.keys()),
    );
  }
  const { primaryKey } = table;
  const isKey = primaryKey.every((name) => after.has(name)) && after.size === primaryKey.length;
  if (after.size > 0 && !isKey) {
    const names = primaryKey.join(', ');
    throw usage('rows can begin only behind a primary key', `the key is ${names || 'missing'}`);
  }
}

function usage(message: string, hint: string | undefined): CommandError {
  return new CommandError('RG_USAGE', message, { exitCode: 2, hint });
}
