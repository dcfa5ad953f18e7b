import type pg from 'pg';
import { sqlState } from '../../errors.ts';
import { variablesOf } from '../../expressions/dependencies.ts';
import { ident, qualified } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Model } from '../../types/model.ts';
import type { VariableName } from '../../types/names.ts';
import type { Change, RowChange } from '../change.ts';
import type { RowCount } from '../report.ts';
import { ownColumnsOf, withOwnValues } from './own-values.ts';
import { type RuleText, rowAlias, ruleText } from './rule-text.ts';

/** The rows that a change lets a role gain and lose. */
export interface Counts {
  readonly gained: RowCount;
  readonly lost: RowCount;
}

interface CountScope {
  readonly model: Model;
  readonly login: string;
  /** The time on the clock of `performance.now()` at which counting ends. */
  readonly until: number;
}

/**
 * Counts the existing rows that a change of rows concerns. Rules about the caller are counted for the caller to whom
 * each row belongs, and for a caller to whom none belongs, so the count is a lower bound for all callers together. Must
 * run in a read-only transaction.
 */
export async function countRows(
  client: pg.ClientBase,
  change: Change,
  scope: CountScope,
): Promise<Counts | undefined> {
  const { rows, role } = change;
  if (!rows || change.aspect !== 'rows' || role === undefined) return undefined;
  const left = Math.floor(scope.until - performance.now());
  if (left <= 0) return both(uncounted('the time for counting had run out'));
  await client.query('savepoint rowgate_count');
  try {
    await client.query("select pg_catalog.set_config('statement_timeout', $1, true)", [
      `${left}ms`,
    ]);
    const { rows: found } = await client.query<Record<'gained' | 'lost' | 'total', string>>(
      countQuery(rows, { ...scope, role, table: rows.table, tables: scope.model.tables }),
    );
    const isAtLeast = variablesOf([rows.before, rows.after]).length > 0;
    const [row] = found;
    const count = (text: string | undefined): RowCount => ({
      ...{ rows: Number(text ?? 0), total: Number(row?.total ?? 0), isAtLeast, cutOff: undefined },
    });
    return { gained: count(row?.gained), lost: count(row?.lost) };
  } catch (error) {
    const reason = failureOf(error);
    await client.query('rollback to savepoint rowgate_count');
    return both(uncounted(reason));
  }
}

function both(count: RowCount): Counts {
  return { gained: count, lost: count };
}

function uncounted(cutOff: string): RowCount {
  return { rows: undefined, total: undefined, isAtLeast: true, cutOff };
}

/** Says why a count failed. @throws the error if it does not come from Postgres */
function failureOf(error: unknown): string {
  const state = sqlState(error);
  if (state === undefined) throw error;
  // The message may quote values of rows, and the output goes into pull requests.
  return state === '57014'
    ? 'the time limit cut the count off'
    : `Postgres refused it with SQLSTATE ${state}`;
}

function countQuery(rows: RowChange, text: RuleText): string {
  const table = text.tables.get(text.table);
  if (!table) return 'select 0 as gained, 0 as lost, 0 as total';
  const own = ownColumnsOf([rows.before, rows.after]);
  const condition = (expression: BoolExp | undefined) => `(${ruleText(expression, text)}) is true`;
  const required = requiredColumns(rows, text, own);
  const pairs = [
    ...(required?.length === 0 ? [[rows.before, rows.after] as const] : []),
    ...(required
      ? [[withOwnValues(rows.before, own), withOwnValues(rows.after, own)] as const]
      : []),
  ];
  const isPresent = (required ?? [])
    .map((column) => ` and ${ident(rowAlias).text}.${ident(column).text} is not null`)
    .join('');
  const either = (terms: readonly string[]) => terms.join(' or ') || 'false';
  const gained = pairs.map(
    ([old, now]) => `(${condition(now)} and not ${condition(old)}${isPresent})`,
  );
  const lost = pairs.map(
    ([old, now]) => `(${condition(old)} and not ${condition(now)}${isPresent})`,
  );
  return `select count(*) filter (where ${either(gained)}) as gained,
    count(*) filter (where ${either(lost)}) as lost, count(*) as total
    from ${qualified(table).text} as ${ident(rowAlias).text}`;
}

/**
 * Returns the columns that stand for the session variables without which no caller has the role. Undefined if no
 * column stands for one of them: then no caller of the role can be tried.
 */
function requiredColumns(
  { before, after }: RowChange,
  { model, role }: RuleText,
  own: ReadonlyMap<VariableName, string>,
): readonly string[] | undefined {
  const used = variablesOf([before, after]).map(({ variable }) => variable);
  const required = (model.roles.get(role)?.requires ?? []).filter((name) => used.includes(name));
  const columns = required.flatMap((name) => own.get(name) ?? []);
  return columns.length === required.length ? columns : undefined;
}
