import pg from 'pg';
import { tableAccess } from '../../access/table-access.ts';
import { ident, identifiers, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import { asPrincipal } from './principal.ts';
import { type AccessQuestion, keyCondition, valueSql } from './question.ts';

/** What Postgres did with a statement of the principal: the number of rows, or the message of its error. */
export type Attempt = { readonly rows: number } | { readonly error: string };

/**
 * Runs the statement of a question as the principal, and undoes it. Triggers run, and what they do is undone as well.
 */
export async function attempt(
  client: pg.ClientBase,
  question: AccessQuestion,
  model: Model,
): Promise<Attempt> {
  const { principal, table } = question;
  const role = ident(principal.role.postgresName);
  const relation = relationOf(question, model);
  try {
    await client.query('savepoint rowgate_key');
    // The statement names the row by its key, which the rules may hide. The right to read it changes no policy.
    if (!table.view && table.primaryKey.length > 0) {
      const columns = identifiers(table.primaryKey);
      await client.query(sql`grant select (${columns}) on ${relation} to ${role}`.text);
    }
    return await asPrincipal(client, principal, async () => {
      const { rowCount } = await client.query(statementOf(question, relation).text);
      return { rows: rowCount ?? 0 };
    });
  } catch (error) {
    if (error instanceof pg.DatabaseError) return { error: error.message };
    throw error;
  } finally {
    await client.query('rollback to savepoint rowgate_key');
  }
}

function relationOf({ principal, table, operation }: AccessQuestion, model: Model): SqlText {
  const rules = principal.role.tables.get(table.key);
  if (!table.view || !rules) return qualified(table);
  const access = tableAccess(principal.role, table, rules, model.tables);
  const view = operation === 'select' ? access.rows : access.writes.get(operation);
  return qualified(view ?? table);
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
