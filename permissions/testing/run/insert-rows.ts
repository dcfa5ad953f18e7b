import pg from 'pg';
import { isLockFailure, isStopped, MetadataError } from '../../errors.ts';
import { ident, identifiers, join, qualified, sql } from '../../text/sql-text.ts';
import type { TableModel } from '../../types/tables.ts';
import type { NamedRow, Suite } from '../suites/suite.ts';
import {
  type Answer,
  ask,
  keyCondition,
  type RowValues,
  type Session,
  valueSql,
} from './session.ts';
import { loginLimit, stoppedLine } from './time-limit.ts';

type MadeRows = Map<string, { readonly table: TableModel; readonly values: RowValues }>;

/**
 * Inserts the fixtures of a file as the owner of the tables, in their order, and looks up the rows that exist.
 * @throws MetadataError for a row that Postgres refuses, or that does not exist
 */
export async function insertRows(
  suite: Suite,
  session: Omit<Session, 'rows'>,
): Promise<Session['rows']> {
  const rows: MadeRows = new Map();
  const filled = { ...session, rows };
  const tables = new Set(
    suite.rows.flatMap(({ source, table }) => (source.kind === 'fixture' ? [table] : [])),
  );
  const { client } = session.rules;
  const switchTriggers = async (change: 'disable' | 'enable') => {
    for (const table of suite.triggers ? [] : tables) {
      const action = change === 'disable' ? sql`disable` : sql`enable`;
      await client.query(sql`alter table ${qualified(table)} ${action} trigger user`.text);
    }
  };
  await switchTriggers('disable');
  for (const row of suite.rows) {
    const values = await makeRow(row, filled);
    rows.set(row.name, { table: row.table, values });
  }
  // Postgres does not alter a table with deferred checks that have not run yet.
  if (!suite.triggers) await client.query('set constraints all immediate');
  await switchTriggers('enable');
  return rows;
}

async function makeRow(row: NamedRow, session: Session): Promise<RowValues> {
  const { source, table, name } = row;
  try {
    const answer =
      source.kind === 'existing'
        ? await ask(
            session,
            sql`select * from ${qualified(table)} where ${keyCondition(source.key, table, session)}`,
          )
        : await insertFixture(row, source, session);
    const values = firstRow(answer);
    if (values) return values;
    throw refusal(row, `the row "${name}" does not exist in ${table.schema}.${table.name}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isLockFailure(error)) throw error;
    if (isStopped(error))
      throw refusal(row, `the row "${name}": ${stoppedLine(error, loginLimit)}`);
    const detail = error.detail === undefined ? '' : ` (${error.detail})`;
    throw refusal(row, `Postgres refuses the row "${name}": ${error.message}${detail}`);
  }
}

function refusal({ position }: NamedRow, message: string): MetadataError {
  return new MetadataError([{ code: 'RG_TEST', severity: 'error', position, message }]);
}

/** Inserts a row. A copied row gives every column that is not written, except its key and generated columns. */
async function insertFixture(
  { table }: NamedRow,
  { like, values }: Extract<NamedRow['source'], { kind: 'fixture' }>,
  session: Session,
): Promise<Answer> {
  const written = new Map(values.map((one) => [one.column, valueSql(one, session)]));
  const copied =
    like === undefined ? [] : copiedColumns(table, session).filter((name) => !written.has(name));
  const names = [...written.keys(), ...copied];
  const target = sql`insert into ${qualified(table)}`;
  if (names.length === 0) return ask(session, sql`${target} default values returning *`);
  const all = join([...written.values(), ...copied.map(ident)], ', ');
  const from =
    like === undefined
      ? sql``
      : sql` from ${qualified(table)} where ${keyCondition({ kind: 'name', name: like }, table, session)}`;
  return ask(session, sql`${target} (${identifiers(names)}) select ${all}${from} returning *`);
}

/**
 * Returns the columns that a copied row gives. The database makes new values of the key, and of unique columns with a
 * default, such as a number.
 */
function copiedColumns(table: TableModel, { rules }: Session): readonly string[] {
  const { columns, primaryKey, uniqueConstraints, key } = table;
  const { catalog } = rules.prepared.loaded;
  const references = catalog.tables.get(key)?.foreignKeys.flatMap((one) => one.columns) ?? [];
  const unique = uniqueConstraints.flatMap((one) => one.columns);
  const isNew = (name: string) =>
    primaryKey.includes(name) || (unique.includes(name) && !references.includes(name));
  return [...columns.values()]
    .filter(({ name, generated, hasDefault }) => !generated && !(hasDefault && isNew(name)))
    .map(({ name }) => name);
}

/** Returns the first row of an answer; undefined if there is none. */
export function firstRow({ columns, rows: [first] }: Answer): RowValues | undefined {
  return first && new Map(columns.map((name, index) => [name, first[index] ?? null]));
}
