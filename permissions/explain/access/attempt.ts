import pg from 'pg';
import { relationOf, tableAccess } from '../../access/table-access.ts';
import { isInterruption } from '../../errors.ts';
import { readOnly, undone } from '../../rights/savepoints.ts';
import { ident, identifiers, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import { asPrincipal } from './principal.ts';
import { type AccessQuestion, keyCondition, valueSql } from './question.ts';

/** The result of a statement of the principal: the number of rows, or the message of the error. */
export type Attempt = { readonly rows: number } | { readonly error: string };

/**
 * Runs the statement of a question as the principal, and undoes it. Triggers run, and what they do is undone as well.
 * @throws DatabaseError when another session or a time limit interrupts the statement
 */
export async function attempt(
  client: pg.ClientBase,
  question: AccessQuestion,
  model: Model,
): Promise<Attempt> {
  const { principal, table, operation } = question;
  const role = ident(principal.role.postgresName);
  const relation = targetOf(question, model);
  const run = async () => {
    const { rowCount } = await client.query(statementOf(question, relation).text);
    return { rows: rowCount ?? 0 };
  };
  try {
    return await undone(client, async () => {
      // The statement names the row by its key, which the rules may hide. The right to read it changes no policy.
      if (!table.view && table.primaryKey.length > 0) {
        const columns = identifiers(table.primaryKey);
        await client.query(sql`grant select (${columns}) on ${relation} to ${role}`.text);
      }
      return asPrincipal(client, principal, () =>
        operation === 'select' ? readOnly(client, run) : run(),
      );
    });
  } catch (error) {
    if (error instanceof pg.DatabaseError && !isInterruption(error))
      return { error: error.message };
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
