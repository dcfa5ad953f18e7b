import pg from 'pg';
import type { Outcome } from './expect-outcome.ts';
import { type Case, named, type Row, type Schema, type Table } from './vocabulary.ts';
import { insertSql, textOfValue, updateSql } from './write-sql.ts';

/** Runs a case in Postgres like a gateway: with role and variables for one transaction. Returns the outcome. */
export async function askOutcome(
  gateway: pg.Client,
  schema: Schema,
  one: Case,
  role: string,
): Promise<Outcome> {
  const table = named(schema, one.table);
  try {
    await gateway.query(`begin; ${settingsSql(one, role)}`);
    return await outcomeOf(gateway, table, one);
  } finally {
    await gateway.query('rollback');
  }
}

/** Missing variables are not set at all. Such a setting is null, or '' after an earlier use. */
function settingsSql({ variables }: Case, role: string): string {
  const settings = Object.entries(variables).map(
    ([name, value]) => [`gql.${name}`, textOfValue(value)] as const,
  );
  const calls = [...settings, ['role', role] as const].map(
    ([name, value]) =>
      `pg_catalog.set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`,
  );
  return `select ${calls.join(', ')}`;
}

async function outcomeOf(gateway: pg.Client, table: Table, one: Case): Promise<Outcome> {
  const { rule, rows, candidates } = one;
  const name = `public.${table.name}`;
  switch (rule.command) {
    case 'select':
      return ids(gateway, `select id from ${name} order by id`);
    case 'delete':
      return ids(gateway, `with gone as (delete from ${name} returning id) table gone order by id`);
    case 'insert':
      return inTurn(candidates, async (row) => {
        const affected = await attempt(gateway, insertSql(table, row));
        return affected === 1 ? 'accepted' : countOrReason(affected);
      });
    case 'update':
      return inTurn(rows[table.name] ?? [], async ({ id }) => {
        const text = updateSql(table, rule.columns, candidates[0] ?? {}, String(id));
        const affected = await attempt(gateway, text);
        return affected === 1 ? 'updated' : countOrReason(affected);
      });
  }
}

async function ids(gateway: pg.Client, text: string): Promise<Outcome> {
  try {
    const { rows } = await gateway.query<{ readonly id: number }>(text);
    return rows.map(({ id }) => String(id));
  } catch (error) {
    return [messageOf(error)];
  }
}

async function inTurn(
  rows: readonly Row[],
  ask: (row: Row) => Promise<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const row of rows) found.push(await ask(row));
  return found;
}

/** Returns the number of written rows, or the reason of the failure. The statement is rolled back. */
async function attempt(gateway: pg.Client, text: string): Promise<number | string> {
  const undo = 'rollback to savepoint attempt';
  try {
    const [, done] = await several(gateway, `savepoint attempt; ${text}; ${undo}`);
    return done?.rowCount ?? 0;
  } catch (error) {
    await gateway.query(undo);
    return messageOf(error);
  }
}

/** Runs several statements. pg then returns a list, which its types do not declare. */
async function several(client: pg.Client, text: string): Promise<readonly pg.QueryResult[]> {
  return (await client.query(text)) as unknown as readonly pg.QueryResult[];
}

const countOrReason = (affected: number | string) =>
  affected === 0 ? 'untouched' : String(affected);

/** A refusal by a policy is an outcome. Any other error is a defect. */
function messageOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  const byPolicy = code === '42501' && message.includes('row-level security');
  return byPolicy ? 'refused' : `${code}: ${message}`;
}
