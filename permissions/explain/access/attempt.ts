import pg from 'pg';
import { relationOf, tableAccess } from '../../access/table-access.ts';
import { isInterruption } from '../../errors.ts';
import { readOnly } from '../../rights/savepoints.ts';
import { ident, identifiers, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import { asPrincipalNaming } from './principal.ts';
import { type AccessQuestion, keyCondition, valueSql } from './question.ts';

/** The result of a statement of the principal: the number of rows, or the error. */
export type Attempt = { readonly rows: number } | { readonly error: pg.DatabaseError };

/**
 * Runs the statement of a question as the principal, and undoes it. Triggers run, and what they do is undone as well.
 * @throws DatabaseError when another session or a time limit interrupts the statement
 */
export function attempt(
  client: pg.ClientBase,
  question: AccessQuestion,
  model: Model,
): Promise<Attempt> {
  const statement = statementOf(question, targetOf(question, model));
  return run(client, question, async () => {
    const { rowCount } = await client.query(statement.text);
    return { rows: rowCount ?? 0 };
  });
}

/** The key of a written row, as texts by column. */
export type WrittenKey = ReadonlyMap<string, string>;

/**
 * Runs an insert or update as the principal, and work as the login before the row is undone. The statement returns the
 * key, so Postgres also refuses it if the principal does not see the new row. Undefined if it is refused.
 * @throws DatabaseError when another session or a time limit interrupts the statement
 */
export async function afterWrite<T>(
  client: pg.ClientBase,
  question: AccessQuestion,
  model: Model,
  work: (key: WrittenKey) => Promise<T>,
): Promise<T | undefined> {
  const { table } = question;
  const keys = table.primaryKey.map((name) => sql`(${ident(name)})::pg_catalog.text`);
  const statement = statementOf(question, targetOf(question, model));
  const text = sql`${statement} returning array[${join(keys, ', ')}]::pg_catalog.text[] as key`;
  const found = await run(client, question, async () => {
    const { rows } = await client.query<{ readonly key: string[] }>(text.text);
    await client.query('reset role');
    const [row] = rows;
    const key = row?.key.map((value, index) => [table.primaryKey[index] ?? '', value] as const);
    return { answer: key && (await work(new Map(key))) };
  });
  return 'answer' in found ? found.answer : undefined;
}

async function run<T>(
  client: pg.ClientBase,
  { principal, table, operation }: AccessQuestion,
  statement: () => Promise<T>,
): Promise<T | { readonly error: pg.DatabaseError }> {
  try {
    return await asPrincipalNaming(client, principal, { table, columns: table.primaryKey }, () =>
      operation === 'select' ? readOnly(client, statement) : statement(),
    );
  } catch (error) {
    if (error instanceof pg.DatabaseError && !isInterruption(error)) return { error };
    throw error;
  }
}

/** The row is named in a table itself, whose policies also decide about the rows of a view that masks columns. */
function targetOf({ principal, table, operation }: AccessQuestion, model: Model): SqlText {
  const rules = principal.role.tables.get(table.key);
  if (!table.view || !rules) return qualified(table);
  const access = tableAccess(principal.role, table, rules, model.tables);
  return relationOf(access, table, operation);
}

function statementOf(question: AccessQuestion, relation: SqlText): SqlText {
  const { table, operation, values } = question;
  const row = ident('explained');
  const columns = identifiers([...values.keys()]);
  const given = [...values].map(([name, text]) => valueSql(table, name, text));
  switch (operation) {
    case 'select':
      return sql`select from ${relation} as ${row} where ${keyCondition(question, row)}`;
    case 'insert':
      return values.size === 0
        ? sql`insert into ${relation} default values`
        : sql`insert into ${relation} (${columns}) values (${join(given, ', ')})`;
    case 'update': {
      const names = [...values.keys()];
      const sets = names.map((name, index) => sql`${ident(name)} = ${given[index] ?? sql`null`}`);
      return sql`update ${relation} as ${row} set ${join(sets, ', ')} where ${keyCondition(question, row)}`;
    }
    case 'delete':
      return sql`delete from ${relation} as ${row} where ${keyCondition(question, row)}`;
  }
}
