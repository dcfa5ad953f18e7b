import type pg from 'pg';
import { sqlState } from '../../errors.ts';
import { tablesIn } from '../../expressions/dependencies.ts';
import { partsOf } from '../../expressions/visit.ts';
import { ident, identifiers, qualified } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { Change, RowChange } from '../change.ts';
import type { Replay } from '../report.ts';
import type { Witness, WitnessRow } from '../rows/row-comparison.ts';
import { rowAlias, ruleText } from './rule-text.ts';

interface ReplayScope {
  readonly model: Model;
  readonly login: string;
  /** The time on the clock of `performance.now()` after which no further example is replayed. */
  readonly until: number;
}

/**
 * Asks Postgres about the counterexamples of a change. Their rows are written into temporary tables without constraints
 * and triggers, and each replay ends in a rollback to its savepoint. Must run in a transaction that is rolled back.
 */
export async function replayChange(
  client: pg.ClientBase,
  { rows, role }: Change,
  scope: ReplayScope,
): Promise<Replay | undefined> {
  if (!rows || role === undefined || (!rows.gained && !rows.lost)) return undefined;
  if (performance.now() > scope.until)
    return { kind: 'not replayed', reason: 'the time for counting and replaying had run out' };
  for (const side of ['gained', 'lost'] as const) {
    const witness = rows[side];
    if (!witness) continue;
    const found = await replayWitness(client, { rows, role, witness, side }, scope);
    if (found.kind !== 'confirmed') return found;
  }
  return { kind: 'confirmed' };
}

interface Replayed {
  readonly rows: RowChange;
  readonly role: string;
  readonly witness: Witness;
  readonly side: 'gained' | 'lost';
}

async function replayWitness(
  client: pg.ClientBase,
  replayed: Replayed,
  scope: ReplayScope,
): Promise<Replay> {
  if (readsClock(replayed.rows)) return { kind: 'not replayed', reason: 'it depends on the time' };
  await client.query('savepoint rowgate_replay');
  try {
    const passes = await verdictOf(client, replayed, scope);
    const [must, mustNot] =
      replayed.side === 'gained' ? (['after', 'before'] as const) : (['before', 'after'] as const);
    if (passes[must] && !passes[mustNot]) return { kind: 'confirmed' };
    const reason = `the ${replayed.side} row passes ${passes.before ? 'the old' : 'not the old'} and ${passes.after ? 'the new' : 'not the new'} condition`;
    return { kind: 'contradicted', reason };
  } catch (error) {
    const state = sqlState(error);
    if (state === undefined) throw error;
    // The message may quote values of rows, and the output goes into pull requests.
    return { kind: 'not replayed', reason: `Postgres refused it with SQLSTATE ${state}` };
  } finally {
    await client.query('rollback to savepoint rowgate_replay');
  }
}

/** Whether a condition compares with the current time, which no transaction can replace. */
function readsClock({ before, after }: RowChange): boolean {
  return [before, after]
    .flatMap((one) => (one ? partsOf(one) : []))
    .some((part) => part.kind === 'compare' && part.operand.kind === 'now');
}

async function verdictOf(
  client: pg.ClientBase,
  { rows, role, witness }: Replayed,
  { model, login }: ReplayScope,
): Promise<{ readonly before: boolean; readonly after: boolean }> {
  const { table } = rows;
  const tables = await temporaryTables(client, rows, model);
  for (const one of witness.related) await insertRow(client, tables.get(one.table), one.row);
  const place = await insertRow(client, tables.get(table), witness.row);
  for (const name of model.variables)
    await client.query('select pg_catalog.set_config($1, $2, true)', [
      `gql.${name}`,
      witness.variables[name] ?? '',
    ]);
  const text = { model, tables, table, role, login };
  const temporary = tables.get(table);
  const { rows: found } = await client.query<{ before: boolean; after: boolean }>(
    `select (${ruleText(rows.before, text)}) is true as before, (${ruleText(rows.after, text)}) is true as after
     from ${temporary ? qualified(temporary).text : ''} as ${ident(rowAlias).text} where ${ident(rowAlias).text}.ctid = $1`,
    [place],
  );
  return found[0] ?? { before: false, after: false };
}

/** Creates an empty temporary table for each table that the conditions read, and returns the model's tables with them. */
async function temporaryTables(
  client: pg.ClientBase,
  { table, before, after }: RowChange,
  { tables }: Model,
): Promise<Model['tables']> {
  const keys = new Set<TableKey>([table]);
  for (const one of [before, after]) for (const key of one ? tablesIn(one) : []) keys.add(key);
  const replaced = new Map(tables);
  for (const [index, key] of [...keys].entries()) {
    const real = tables.get(key);
    if (!real) continue;
    const name = `rowgate_witness_${index}`;
    await client.query(
      `create temporary table ${ident(name).text} on commit drop as select * from ${qualified(real).text} with no data`,
    );
    replaced.set(key, { ...real, schema: 'pg_temp', name });
  }
  return replaced;
}

/** Inserts a row and returns its place. Absent columns are null. */
async function insertRow(
  client: pg.ClientBase,
  table: { readonly schema: string; readonly name: string } | undefined,
  row: WitnessRow,
): Promise<string> {
  if (!table) return '(0,0)';
  const columns = Object.keys(row);
  const values = columns.map((_, index) => `$${index + 1}`);
  const target = qualified(table).text;
  const { rows } = await client.query<{ place: string }>(
    columns.length === 0
      ? `insert into ${target} default values returning ctid::text as place`
      : `insert into ${target} (${identifiers(columns).text}) values (${values.join(', ')}) returning ctid::text as place`,
    Object.values(row),
  );
  return rows[0]?.place ?? '(0,0)';
}
