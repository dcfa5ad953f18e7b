import type pg from 'pg';
import type { RowRule } from '../../../../permissions/diff/rows/compare-rules.ts';
import type { Witness } from '../../../../permissions/diff/rows/row-comparison.ts';
import { gatherNeeds } from '../../../../permissions/expressions/print/policy-views.ts';
import { printRule } from '../../../../permissions/expressions/print/print-expression.ts';
import { policySchema } from '../../../../permissions/text/object-names.ts';
import { ident, literal, type SqlText, sql } from '../../../../permissions/text/sql-text.ts';
import type { Model } from '../../../../permissions/types/model.ts';

/** Any role: a superuser counts as a member of each. */
const gatewayRole = 'pg_monitor';

/**
 * Evaluates both rules on a witness in Postgres, as compiled for policies. The tables are temporary and hold only the
 * rows of the witness. The transaction is rolled back.
 */
export async function replay(
  superuser: pg.Client,
  model: Model,
  rules: readonly RowRule[],
  witness: Witness,
): Promise<readonly boolean[]> {
  await superuser.query('begin');
  try {
    await fillTables(superuser, model, witness);
    for (const [name, text] of Object.entries(witness.variables))
      await superuser.query('select set_config($1, $2, true)', [`gql.${name}`, text]);
    const shown: boolean[] = [];
    for (const rule of rules) shown.push(await evaluated(superuser, model, rule, witness));
    return shown;
  } finally {
    await superuser.query('rollback');
  }
}

async function fillTables(client: pg.Client, model: Model, witness: Witness): Promise<void> {
  for (const { schema, name } of model.tables.values())
    await client.query(
      `create temp table ${ident(name).text} as select * from ${ident(schema).text}.${ident(name).text} where false`,
    );
  for (const { table, row } of [witness, ...witness.related]) {
    const { name = '' } = model.tables.get(table) ?? {};
    const cells = Object.entries(row);
    const names = cells.map(([column]) => ident(column).text).join(', ');
    const texts = cells.map(([, text]) => (text === null ? 'null' : literal(text).text)).join(', ');
    const values = cells.length > 0 ? `(${names}) values (${texts})` : 'default values';
    await client.query(`insert into pg_temp.${ident(name).text} ${values}`);
  }
}

async function evaluated(
  client: pg.Client,
  model: Model,
  { table: key, expression }: RowRule,
  { now }: Witness,
): Promise<boolean> {
  const table = model.tables.get(key);
  if (!table || !expression) return false;
  const scope = { tables: model.tables, gatewayRole, session: sql`'{}'::jsonb` };
  const printed = printRule(expression, table, scope, ident('tested'));
  const local = (text: SqlText) => temporary(text.text, model, now ?? '');
  for (const view of gatherNeeds(printed.views).views)
    await client.query(
      `create or replace temp view ${ident(view.name).text} as ${local(view.query)}`,
    );
  // The row itself was inserted first.
  const { rows } = await client.query<{ shown: boolean }>(
    `select (${local(printed.text)}) is true as shown from pg_temp.${ident(table.name).text} as tested where tested.ctid = '(0,1)'`,
  );
  return rows[0]?.shown ?? false;
}

/** Lets SQL read the temporary tables and views, at the time of the witness. */
function temporary(text: string, model: Model, now: string): string {
  const tables = [...model.tables.values()].reduce(
    (changed, { schema, name }) =>
      changed.replaceAll(
        `${ident(schema).text}.${ident(name).text}`,
        `pg_temp.${ident(name).text}`,
      ),
    text,
  );
  return tables
    .replaceAll(`${ident(policySchema).text}.`, 'pg_temp.')
    .replaceAll('pg_catalog.now()', `'${now}'::timestamptz`);
}
