import type pg from 'pg';
import { updateColumns } from '../../compile/grants.ts';
import { missingVariableState } from '../../compile/presets.ts';
import type { RowOperation } from '../../metadata/schemas/tests.ts';
import { isBadValue, isCheckViolation, isRaised } from '../../rights/refused-statement.ts';
import { ident, identifiers, join, type SqlText, sql } from '../../text/sql-text.ts';
import type { TableModel } from '../../types/tables.ts';
import type { AggregateTest, ListTest, MatrixTest, Principal } from '../suites/suite.ts';
import { FailedStatement, isDenied, type UsedRights } from './failed-statement.ts';
import { differences, type Outcome, outcomeOf } from './outcome.ts';
import { becomeWithKey, relationOf, rulesOf, showAllRows } from './relations.ts';
import {
  type Answer,
  ask,
  attempt,
  keyCondition,
  keyText,
  type Session,
  undone,
  valueSql,
} from './session.ts';

/** Checks what a principal may do with each named row of the table. */
export async function checkMatrix(test: MatrixTest, session: Session): Promise<Outcome> {
  const { principal, table, allowed } = test;
  const names = namedRows(table, session);
  const lines: string[] = [];
  let isPositive = false;
  for (const operation of ['select', 'update', 'delete'] as const) {
    const expected = names.filter((name) => allowed.get(name)?.includes(operation));
    const found = await reachedRows(operation, names, principal, table, session);
    isPositive ||= found.length > 0;
    const words = verbs[operation];
    lines.push(...differences(expected, found, words));
  }
  return outcomeOf(lines, isPositive);
}

const verbs = {
  select: { extra: 'also sees', missing: 'does not see' },
  update: { extra: 'may also update', missing: 'may not update' },
  delete: { extra: 'may also delete', missing: 'may not delete' },
} as const;

/** Returns the names of the rows of a table that the file names. */
function namedRows(table: TableModel, { rows }: Session): readonly string[] {
  return [...rows].flatMap(([name, row]) => (row.table.key === table.key ? [name] : []));
}

/** Checks which rows a principal sees: of the named rows, or of all rows when the file names none of the table. */
export async function checkList(test: ListTest, session: Session): Promise<Outcome> {
  const { principal, table, rows } = test;
  const names = namedRows(table, session);
  const words = verbs.select;
  if (names.length > 0) {
    const found = await reachedRows('select', names, principal, table, session);
    const expected = rows.flatMap((row) => (row.kind === 'name' ? [row.name] : []));
    return outcomeOf(differences(expected, found, words), found.length > 0);
  }
  const labels = new Map<string, string>();
  for (const row of rows) {
    const condition = keyCondition(row, table, session);
    const [first] = await keysOf(relationOfOwner(table), condition, table, session);
    const label = row.kind === 'key' ? row.label : row.name;
    if (first === undefined) return outcomeOf([`the row ${label} does not exist`], false);
    labels.set(first, label);
  }
  const found = await undone(session, async () => {
    const relation = await becomeWithKey(session, principal, table);
    const text = keysText(relation, sql`true`, table);
    const rights = { relation, operation: 'select', columns: table.primaryKey } as const;
    return keysIn(await askIfAllowed(text, [rights], principal, session));
  });
  const named = found.map((key) => labels.get(key) ?? key);
  return outcomeOf(differences([...labels.values()], named, words), found.length > 0);
}

function relationOfOwner({ schema, name }: TableModel): SqlText {
  return sql`${ident(schema)}.${ident(name)}`;
}

/** Returns the keys of the rows that pass a condition, as `keyText` writes them. */
async function keysOf(
  relation: SqlText,
  condition: SqlText,
  table: TableModel,
  session: Session,
): Promise<readonly string[]> {
  return keysIn(await ask(session, keysText(relation, condition, table)));
}

function keysText(relation: SqlText, condition: SqlText, { primaryKey }: TableModel): SqlText {
  return sql`select ${identifiers(primaryKey)} from ${relation} where ${condition}`;
}

function keysIn(answer: Answer | undefined): readonly string[] {
  return answer?.rows.map((row) => JSON.stringify(row)) ?? [];
}

/**
 * Runs a statement as the current principal. Undefined: the role has no right to what the statement names.
 * @throws FailedStatement for any other error
 */
async function askIfAllowed(
  text: SqlText,
  rights: readonly UsedRights[],
  principal: Principal,
  session: Session,
): Promise<Answer | undefined> {
  const result = await attempt(session, () => ask(session, text));
  if ('answer' in result) return result.answer;
  for (const one of rights) {
    if (await isDenied(result.error, one, principal, session)) return undefined;
  }
  throw new FailedStatement(result.error);
}

/**
 * Returns which of the named rows a principal reaches with an operation: rows that it sees, and rows that pass the
 * filter of its update or delete rule, whether or not it sees them. Whether a changed row passes a check is another
 * question.
 */
export async function reachedRows(
  operation: RowOperation,
  names: readonly string[],
  principal: Principal,
  table: TableModel,
  session: Session,
): Promise<readonly string[]> {
  const rules = rulesOf(session, principal, table);
  if (!rules?.[operation] || names.length === 0) return [];
  if (operation !== 'select' && table.view) {
    return reachedSingly(operation, names, principal, table, session);
  }
  const reference = (name: string) => keyCondition({ kind: 'name', name }, table, session);
  const condition = join(names.map(reference), ' or ');
  const answer = await undone(session, async () => {
    if (operation !== 'select') await showAllRows(session, principal, table);
    const relation = await becomeWithKey(session, principal, table);
    if (operation === 'delete') {
      const columns = identifiers(table.primaryKey);
      const text = sql`delete from ${relation} where ${condition} returning ${columns}`;
      const result = await attempt(session, () => ask(session, text));
      return 'answer' in result ? result.answer : undefined;
    }
    // `for update` shows only rows that pass the filter of the update rule, and neither changes them nor fires triggers.
    const lock = operation === 'update' ? sql` for update` : sql``;
    const text = sql`${keysText(relation, condition, table)}${lock}`;
    const key = { relation, operation: 'select', columns: table.primaryKey } as const;
    return askIfAllowed(text, [key, { relation, operation, columns: [] }], principal, session);
  });
  if (!answer && operation === 'delete') {
    return reachedSingly(operation, names, principal, table, session);
  }
  const keys = keysIn(answer);
  const values = (name: string) => session.rows.get(name)?.values ?? new Map();
  return names.filter((name) => keys.includes(keyText(table, values(name))));
}

async function reachedSingly(
  operation: 'update' | 'delete',
  names: readonly string[],
  principal: Principal,
  table: TableModel,
  session: Session,
): Promise<readonly string[]> {
  const reached: string[] = [];
  for (const name of names) {
    if (await isReached(operation, name, principal, table, session)) reached.push(name);
  }
  return reached;
}

/**
 * Returns whether a write reaches a row. A constraint, trigger or check that refuses the write proves that it did.
 * @throws FailedStatement for an error that proves neither
 */
async function isReached(
  operation: 'update' | 'delete',
  name: string,
  principal: Principal,
  table: TableModel,
  session: Session,
): Promise<boolean> {
  return undone(session, async () => {
    if (!table.view) await showAllRows(session, principal, table);
    const target = relationOf(session, principal, table, operation);
    const rule = rulesOf(session, principal, table)?.update;
    const [column] = rule ? updateColumns(rule) : [];
    await becomeWithKey(session, principal, table);
    const where = keyCondition({ kind: 'name', name }, table, session);
    const text =
      operation === 'delete' || column === undefined
        ? sql`delete from ${target} where ${where}`
        : sql`update ${target} set ${ident(column)} = ${ident(column)} where ${where}`;
    const result = await attempt(session, () => ask(session, text));
    if ('answer' in result) return result.answer.affected > 0;
    const rights = { relation: target, operation, columns: [] };
    if (await isDenied(result.error, rights, principal, session)) return false;
    if (isBadValue(result.error) || !provesReach(result.error))
      throw new FailedStatement(result.error);
    return true;
  });
}

/** Whether an error comes from a constraint, trigger or check of the row. Functions have a context. */
function provesReach(error: pg.DatabaseError): boolean {
  const { code = '', where } = error;
  const isRefusal = isRaised(error) || isCheckViolation(error) || code === missingVariableState;
  return isRefusal || code.startsWith('23') || (where !== undefined && code !== '42501');
}

/** Checks aggregates over the rows that a principal sees: of the named rows, or of all when the file names none. */
export async function checkAggregates(test: AggregateTest, session: Session): Promise<Outcome> {
  const { principal, table, count, values } = test;
  const names = namedRows(table, session);
  const conditions = names.map((name) => keyCondition({ kind: 'name', name }, table, session));
  const condition = names.length === 0 ? sql`true` : join(conditions, ' or ');
  const functions = {
    sum: sql`pg_catalog.sum`,
    min: sql`pg_catalog.min`,
    max: sql`pg_catalog.max`,
  };
  const aggregates = values.map(
    (one) => sql`${functions[one.function]}(${ident(one.column.column)})`,
  );
  const equal = values.map(
    (one, index) =>
      sql`${aggregates[index] ?? sql`null`} is not distinct from ${valueSql(one.column, session)}`,
  );
  const selected = join([sql`pg_catalog.count(*)`, ...aggregates, ...equal], ', ');
  const result = await undone(session, async () => {
    const relation = await becomeWithKey(session, principal, table);
    return attempt(session, () =>
      ask(session, sql`select ${selected} from ${relation} where ${condition}`),
    );
  });
  if ('error' in result) return outcomeOf([`Postgres refuses it: ${result.error.message}`], false);
  const [seen, ...rest] = result.answer.rows[0] ?? [];
  const wrong = values.flatMap((one, index) =>
    rest[values.length + index] === 't'
      ? []
      : [`${one.function} of ${one.column.column} is ${rest[index] ?? 'null'}`],
  );
  const wrongCount = count === undefined || Number(seen) === count ? [] : [`count is ${seen}`];
  return outcomeOf([...wrongCount, ...wrong], Number(seen) > 0);
}
