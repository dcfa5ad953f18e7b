import type pg from 'pg';
import { typedSql } from '../../expressions/print/print-operand.ts';
import { actAs } from '../../rights/act-as.ts';
import { attempt as attemptOn, undone as undoneOn } from '../../rights/savepoints.ts';
import { ident, join, type SqlText, sql } from '../../text/sql-text.ts';
import type { Model, RoleModel } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { variableText } from '../suites/resolve-suites.ts';
import type { ColumnValue, Principal, RowReference, TestValue } from '../suites/suite.ts';
import type { TestedRules } from './tested-rules.ts';

/** All values of a row as Postgres prints them, by column. */
export type RowValues = ReadonlyMap<string, string | null>;

/** The environment of the tests of one file, inside the transaction. */
export interface Session {
  readonly rules: TestedRules;
  /** The model whose rules are in force. */
  readonly model: Model;
  /** The search path of requests. */
  readonly searchPath: string;
  /** The named rows of the file. */
  readonly rows: ReadonlyMap<string, { readonly table: TableModel; readonly values: RowValues }>;
}

/** The result of a statement, with all values as Postgres prints them. */
export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly affected: number;
}

const types = { getTypeParser: () => (value: string) => value };

/** Runs one statement as it is. */
export async function ask({ rules }: Pick<Session, 'rules'>, text: SqlText): Promise<Answer> {
  const query = { text: text.text, rowMode: 'array' as const, types };
  const result = await rules.client.query<(string | null)[]>(query);
  const columns = result.fields.map(({ name }) => name);
  return { columns, rows: result.rows, affected: result.rowCount ?? 0 };
}

/** Runs work between a savepoint and its rollback. */
export function undone<T>({ rules }: Pick<Session, 'rules'>, work: () => Promise<T>): Promise<T> {
  return undoneOn(rules.client, work);
}

/**
 * Runs work that keeps its effects. When it fails, its effects are undone and the error is returned.
 * @throws DatabaseError when another session or a time limit interrupts the work
 */
export function attempt<T>(
  { rules }: Pick<Session, 'rules'>,
  work: () => Promise<T>,
): Promise<{ readonly answer: T } | { readonly error: pg.DatabaseError }> {
  return attemptOn(rules.client, work);
}

/** Sets the role, the session variables and the other settings of a request until the next rollback to a savepoint. */
export async function become(session: Session, principal: Principal): Promise<void> {
  const caller = { role: principal.role, variables: variablesOf(principal, session) };
  await actAs(session.rules.client, caller, session);
}

/** Returns the session variables of a principal as texts. */
export function variablesOf(
  { variables }: Principal,
  session: Session,
): ReadonlyMap<string, string> {
  const texts = [...variables].map(
    ([name, value]) => [name, variableText(value, (one) => textOf(one, session))] as const,
  );
  return new Map(texts);
}

/** Returns the texts of values by column. */
export function textsOf(values: readonly ColumnValue[], session: Pick<Session, 'rows'>): RowValues {
  return new Map(values.map(({ column, value }) => [column, nullableText(value, session)]));
}

function nullableText(value: TestValue, session: Pick<Session, 'rows'>): string | null {
  if (value.kind === 'null') return null;
  return value.kind === 'text' ? value.text : referenced(value, session);
}

/** Returns the text of a value that is not null. */
function textOf(value: Exclude<TestValue, { kind: 'null' }>, session: Session): string {
  return value.kind === 'text' ? value.text : (referenced(value, session) ?? '');
}

function referenced(
  { row, column }: Extract<TestValue, { kind: 'reference' }>,
  { rows }: Pick<Session, 'rows'>,
): string | null {
  return rows.get(row)?.values.get(column) ?? null;
}

/** Prints a value as SQL of the type of its column. */
export function valueSql({ value, type }: ColumnValue, session: Pick<Session, 'rows'>): SqlText {
  return typedSql(nullableText(value, session), type);
}

/** Prints the condition that a row has a primary key. */
export function keyCondition(
  row: RowReference,
  table: TableModel,
  session: Pick<Session, 'rows'>,
): SqlText {
  const values =
    row.kind === 'key'
      ? row.values.map((one) => [one.column, valueSql(one, session)] as const)
      : table.primaryKey.map(
          (column) => [column, keyValue(row.name, column, table, session)] as const,
        );
  const parts = values.map(([column, value]) => sql`${ident(column)} = ${value}`);
  return sql`(${join(parts, ' and ')})`;
}

function keyValue(
  name: string,
  column: string,
  table: TableModel,
  { rows }: Pick<Session, 'rows'>,
): SqlText {
  const type = table.columns.get(column)?.type;
  if (!type) throw new RangeError(`no column ${column}`);
  return typedSql(rows.get(name)?.values.get(column) ?? null, type);
}

/** Returns the text of the key of a row, which identifies the row within its table. */
export function keyText(table: TableModel, values: RowValues): string {
  return JSON.stringify(table.primaryKey.map((column) => values.get(column) ?? null));
}

/** Returns the role with the rules that are in force. */
export function ruledRole({ model }: Session, { role }: Pick<Principal, 'role'>): RoleModel {
  return model.roles.get(role.name) ?? role;
}
