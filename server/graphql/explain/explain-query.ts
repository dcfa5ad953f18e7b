import type pg from 'pg';
import {
  asPrincipal,
  type Model,
  type Principal,
  setPrincipal,
} from '../../../permissions/index.ts';
import type { FieldStatement } from '../execute/field-statements.ts';
import { searchPathOf } from '../search-path.ts';
import {
  costOf,
  type ExplainedPlan,
  type PlanCost,
  type PlanNode,
  type WholeRead,
  wholeReads,
} from './plan-facts.ts';

/** The plan of one root field. */
export interface FieldExplanation {
  readonly field: string;
  readonly sql: string;
  readonly cost: PlanCost;
  readonly plan: PlanNode;
  /** The same query of the admin role, to which no rule applies. Absent if that role cannot run it. */
  readonly withoutRules?: {
    readonly sql: string;
    readonly cost: PlanCost;
    readonly plan: PlanNode;
  };
  readonly missingIndexes: readonly MissingIndex[];
}

/** A table of more than a thousand rows that is read as a whole, and the columns that no index begins with. */
export interface MissingIndex extends WholeRead {
  readonly rows: number;
  readonly columns: readonly string[];
}

export interface ExplainQueryOptions {
  readonly model: Model;
  readonly principal: Principal;
  readonly statements: readonly FieldStatement[];
  /** The statements of the admin role, in the same order; empty if it cannot run the query. */
  readonly unruled: readonly FieldStatement[];
  /** Whether the statements run, so that times and pages are measured. */
  readonly analyze: boolean;
}

/**
 * Explains the statements of a query: as the role of the principal, and without rules. Must run in a transaction of the
 * login that applies rules; the caller rolls it back.
 */
export async function explainQuery(
  client: pg.ClientBase,
  { model, principal, statements, unruled, analyze }: ExplainQueryOptions,
): Promise<readonly FieldExplanation[]> {
  await setPrincipal(client, principal, { model, searchPath: searchPathOf(model) });
  // The planner calls stable functions, and `analyze` calls all functions of the query. None of them may write.
  await client.query('set transaction read only');
  const found: FieldExplanation[] = [];
  for (const [index, statement] of statements.entries()) {
    const ruled = await asPrincipal(client, principal, () => explain(client, statement, analyze));
    const other = unruled[index];
    const free = other && (await explain(client, other, analyze));
    found.push({
      ...{ field: statement.field, sql: statement.text, cost: costOf(ruled), plan: ruled.Plan },
      ...(other &&
        free && { withoutRules: { sql: other.text, cost: costOf(free), plan: free.Plan } }),
      missingIndexes: await missingIndexes(client, wholeReads(ruled.Plan)),
    });
  }
  return found;
}

async function explain(
  client: pg.ClientBase,
  { text, values }: FieldStatement,
  analyze: boolean,
): Promise<ExplainedPlan> {
  const options = analyze ? 'analyze, buffers, verbose, format json' : 'verbose, format json';
  const { rows } = await client.query<{ readonly 'QUERY PLAN': readonly [ExplainedPlan] }>(
    `explain (${options}) ${text}`,
    [...values],
  );
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  if (!plan) throw new Error('explain returned nothing');
  return plan;
}

/** Tables with fewer rows are read fast without an index. */
const minRows = 1000;

const query = `
select c.reltuples::float8 as rows, array(
  select a.attname::text from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and not exists (select from pg_catalog.pg_index i where i.indrelid = c.oid and i.indkey[0] = a.attnum) order by a.attnum
) as columns
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = $2`;

async function missingIndexes(
  client: pg.ClientBase,
  reads: readonly WholeRead[],
): Promise<readonly MissingIndex[]> {
  const found: MissingIndex[] = [];
  for (const read of reads) {
    const { rows } = await client.query<{ rows: number; columns: string[] }>(query, [
      read.schema,
      read.table,
    ]);
    const [table] = rows;
    const columns = table?.columns.filter((name) => mentions(read.filter, name)) ?? [];
    if (table && table.rows >= minRows && columns.length > 0)
      found.push({ ...read, rows: table.rows, columns });
  }
  return found;
}

/** Returns whether a condition, as Postgres prints it, names a column. */
function mentions(filter: string, column: string): boolean {
  const plain = /^[a-z_][a-z0-9_$]*$/.test(column);
  const name = plain ? column : `"${column.replaceAll('"', '""')}"`;
  const at = filter
    .split(/('(?:[^']|'')*')/)
    .filter((_, index) => index % 2 === 0)
    .join(' ');
  return plain ? at.split(/[^a-z0-9_$"]+/i).includes(name) : at.includes(name);
}
