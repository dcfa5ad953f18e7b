import type pg from 'pg';
import { missingVariableState, presetOnlyColumn } from '../../compile/presets.ts';
import { type Refusal, refusals } from '../../metadata/schemas/tests.ts';
import { ident, identifiers, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { ColumnValue, DeleteTest, InsertTest, UpdateTest } from '../suites/suite.ts';
import { firstRow } from './insert-rows.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { becomeWithKey, relationOf, rulesOf, showAllRows } from './relations.ts';
import {
  type Answer,
  ask,
  attempt,
  become,
  keyCondition,
  type RowValues,
  type Session,
  textsOf,
  typedSql,
  undone,
  valueSql,
} from './session.ts';

type WriteTest = InsertTest | UpdateTest | DeleteTest;

/** The result of a write: the reason of its refusal, or the written row as the owner reads it. */
type Written =
  | { readonly refused: Refusal; readonly message: string }
  | { readonly row: RowValues | undefined };

/**
 * Checks whether a write succeeds, or for which reason it is refused. A refused update or delete must also be refused
 * when the role sees all rows, because a statement that reads no column does not meet the select rule.
 */
export async function checkWrite(test: WriteTest, session: Session): Promise<Outcome> {
  const found = await undone(session, () =>
    test.kind === 'insert' ? insertRow(test, session) : changeRow(test, session, false),
  );
  if ('refused' in found) {
    if (found.refused === test.refused) {
      return test.kind === 'insert' ? outcomeOf([], false) : checkBlindWrite(test, session);
    }
    const because = `${found.refused} (${refusals[found.refused]}): ${found.message}`;
    return outcomeOf([`the ${test.kind} is refused by ${because}`], false);
  }
  if (test.refused !== undefined) return outcomeOf([`the ${test.kind} is allowed`], false);
  return outcomeOf(await wrongValues(test.written, found.row, session), true);
}

async function checkBlindWrite(test: UpdateTest | DeleteTest, session: Session): Promise<Outcome> {
  if (test.table.view) return outcomeOf([], false);
  const found = await undone(session, () => changeRow(test, session, true));
  const line = `the ${test.kind} is refused by the select rule alone, which a statement without conditions does not meet`;
  return outcomeOf('refused' in found ? [] : [line], false);
}

async function wrongValues(
  expected: readonly ColumnValue[],
  row: RowValues | undefined,
  session: Session,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const one of expected) {
    const found = row?.get(one.column) ?? null;
    const text = sql`select ${typedSql(found, one.type)} is not distinct from ${valueSql(one, session)}`;
    const { rows } = await ask(session, text);
    if (rows[0]?.[0] !== 't') lines.push(`${one.column} of the written row is ${found ?? 'null'}`);
  }
  return lines;
}

async function insertRow(test: InsertTest, session: Session): Promise<Written> {
  const { principal, table } = test;
  const given = insertedValues(test, session);
  const before = await nextTransactionId(session);
  const target = relationOf(session, principal, table, 'insert');
  await become(session, principal);
  const values =
    given.length === 0
      ? sql`default values`
      : sql`(${identifiers(given.map(([name]) => name))}) values (${join(
          given.map(([, value]) => value),
          ', ',
        )})`;
  const result = await attempt(session, () => ask(session, sql`insert into ${target} ${values}`));
  if ('error' in result)
    return refusalOf(
      result.error,
      given.map(([name]) => name),
      test,
      session,
    );
  await session.rules.client.query('reset role');
  const isNew = sql`xmin::pg_catalog.text::pg_catalog.int8 >= ${typedSql(before, int8)}`;
  const from = table.view ? undefined : qualified(table);
  const row = from && firstRow(await ask(session, sql`select * from ${from} where ${isNew}`));
  return { row };
}

const int8 = { schema: 'pg_catalog', name: 'int8' };

/** Returns an id that all rows have which are written from now on, and no row that was written before. */
async function nextTransactionId(session: Session): Promise<string> {
  const { rows } = await ask(
    session,
    sql`select pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::pg_catalog.text::pg_catalog.int8 % 4294967296`,
  );
  return rows[0]?.[0] ?? '0';
}

function insertedValues(
  test: InsertTest,
  session: Session,
): readonly (readonly [string, SqlText])[] {
  return [...insertedTexts(test, session)].flatMap(([column, text]) => {
    const type = test.table.columns.get(column)?.type;
    return type ? [[column, typedSql(text, type)] as const] : [];
  });
}

/** Returns the values of a new row: those of the copied row that the rule lists, and the written ones. */
export function insertedTexts(
  { like, values, table, principal }: InsertTest,
  session: Session,
): RowValues {
  const source = like === undefined ? undefined : session.rows.get(like)?.values;
  const writable = rulesOf(session, principal, table)?.insert?.columns ?? [];
  const copied = source ? writable.filter((column) => !table.primaryKey.includes(column)) : [];
  const texts = copied.map((column) => [column, source?.get(column) ?? null] as const);
  return new Map([...texts, ...textsOf(values, session)]);
}

/** @param isBlind whether the role sees all rows, so that the select rule does not matter */
async function changeRow(
  test: UpdateTest | DeleteTest,
  session: Session,
  isBlind: boolean,
): Promise<Written> {
  const { principal, table, row, kind } = test;
  const rules = rulesOf(session, principal, table);
  const values = kind === 'update' ? test.values : [];
  const set = values.map((one) => sql`${ident(one.column)} = ${valueSql(one, session)}`);
  const only = rules?.update && presetOnlyColumn(rules.update);
  if (set.length === 0 && only !== undefined) set.push(sql`${ident(only)} = null`);
  const target = relationOf(session, principal, table, kind);
  if (!table.view && (isBlind || !rules?.select)) await showAllRows(session, principal, table);
  await becomeWithKey(session, principal, table);
  const head =
    kind === 'update' ? sql`update ${target} set ${join(set, ', ')}` : sql`delete from ${target}`;
  const text = sql`${head} where ${keyCondition(row, table, session)}`;
  const result = await attempt(session, () => ask(session, text));
  const names = values.map(({ column }) => column);
  if ('error' in result) return refusalOf(result.error, names, test, session);
  if (result.answer.affected === 0) return { refused: 'row', message: 'no row was changed' };
  await session.rules.client.query('reset role');
  return { row: firstRow(await readAgain(test, session)) };
}

function readAgain({ row, table }: UpdateTest | DeleteTest, session: Session): Promise<Answer> {
  const condition = keyCondition(row, table, session);
  return ask(session, sql`select * from ${qualified(table)} where ${condition}`);
}

/** Returns the reason for which Postgres refused a write. */
function refusalOf(
  { code = '', message }: pg.DatabaseError,
  columns: readonly string[],
  { kind, principal, table }: WriteTest,
  session: Session,
): Written {
  const refuse = (refused: Refusal) => ({ refused, message });
  if (code === missingVariableState) return refuse('variable');
  if (code === '44000' || /row-level security/.test(message)) return refuse('check');
  if (code.startsWith('23')) return refuse('constraint');
  if (code !== '42501') return refuse('trigger');
  const rule = rulesOf(session, principal, table)?.[kind];
  if (!rule) return refuse('operation');
  const isPreset = 'presets' in rule && rule.presets.some(({ column }) => columns.includes(column));
  return refuse(isPreset ? 'preset' : 'column');
}
