import type pg from 'pg';
import { missingVariableState, presetOnlyColumn } from '../../compile/presets.ts';
import { typedSql } from '../../expressions/print/print-operand.ts';
import { type Refusal, refusals } from '../../metadata/schemas/tests.ts';
import { isBadValue, isCheckViolation, isRaised } from '../../rights/refused-statement.ts';
import {
  ident,
  identifiers,
  join,
  literal,
  qualified,
  type SqlText,
  sql,
} from '../../text/sql-text.ts';
import type { ColumnValue, DeleteTest, InsertTest, UpdateTest } from '../suites/suite.ts';
import { FailedStatement, isDenied } from './failed-statement.ts';
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
  if (!row && expected.length > 0) return ['the written row cannot be found'];
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
  const names = given.map(([name]) => name);
  const before = await nextTransactionId(session);
  const target = relationOf(session, principal, table, 'insert');
  await become(session, principal);
  const values =
    given.length === 0
      ? sql`default values`
      : sql`(${identifiers(names)}) values (${join(
          given.map(([, value]) => value),
          ', ',
        )})`;
  const result = await attempt(session, () => ask(session, sql`insert into ${target} ${values}`));
  if ('error' in result) return refusalOf(result.error, names, test, session);
  if (result.answer.affected === 0) return suppressed;
  await session.rules.client.query('reset role');
  if (table.view) return { row: undefined };
  const condition = isNewRow(before, await nextTransactionId(session));
  return {
    row: firstRow(await ask(session, sql`select * from ${qualified(table)} where ${condition}`)),
  };
}

const suppressed = { refused: 'trigger', message: 'a trigger suppressed the new row' } as const;

/**
 * Returns an id above the ids of all rows that were written before, and not above those of rows that are written from
 * now on. The snapshot of Postgres alone ignores the subtransactions of the own transaction that are still open, so a
 * subtransaction that ends at once moves it beyond them.
 */
async function nextTransactionId(session: Session): Promise<bigint> {
  await undone(session, () =>
    ask(session, sql`select pg_catalog.pg_logical_emit_message(true, 'rowgate', '')`),
  );
  const { rows } = await ask(
    session,
    sql`select pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())`,
  );
  return BigInt(rows[0]?.[0] ?? 0);
}

/** Prints the condition that the own transaction wrote a row between two ids. Rows have the low 32 bits of theirs. */
function isNewRow(before: bigint, after: bigint): SqlText {
  const [start, count] = [int8(before), int8(after - before)];
  const distance = sql`((xmin::pg_catalog.text::pg_catalog.int8 - ${start}) & 4294967295)`;
  const id = sql`(${start} + ${distance})::pg_catalog.text::pg_catalog.xid8`;
  // Another session may have committed a row in between; the own transaction is still in progress.
  return sql`case when ${distance} < ${count} then pg_catalog.pg_xact_status(${id}) = 'in progress' end`;
}

function int8(value: bigint): SqlText {
  return sql`${literal(String(value))}::pg_catalog.int8`;
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

/**
 * Returns the reason for which Postgres refused a write.
 * @throws FailedStatement for an error that is no refusal
 */
async function refusalOf(
  error: pg.DatabaseError,
  columns: readonly string[],
  { kind, principal, table }: WriteTest,
  session: Session,
): Promise<Written> {
  const { code = '', message } = error;
  const refuse = (refused: Refusal) => ({ refused, message });
  if (code === missingVariableState) return refuse('variable');
  if (isCheckViolation(error)) return refuse('check');
  if (code.startsWith('23')) return refuse('constraint');
  if (isBadValue(error)) throw new FailedStatement(error);
  if (code !== '42501' || isRaised(error)) return refuse('trigger');
  const relation = relationOf(session, principal, table, kind);
  if (!(await isDenied(error, { relation, operation: kind, columns }, principal, session))) {
    // A function that a trigger or a rule calls lacks a right.
    if (error.where === undefined) throw new FailedStatement(error);
    return refuse('trigger');
  }
  const rule = rulesOf(session, principal, table)?.[kind];
  if (!rule) return refuse('operation');
  const isPreset = 'presets' in rule && rule.presets.some(({ column }) => columns.includes(column));
  return refuse(isPreset ? 'preset' : 'column');
}
