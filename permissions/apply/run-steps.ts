import type pg from 'pg';
import type { DiagnosticCode } from '../diagnostics.ts';
import { MetadataError } from '../errors.ts';
import type { Step } from '../plan/make-plan.ts';
import { refusalIn, refusalStatements } from '../rights/explain-refusal.ts';

/** Number of statements in one round trip; a large project has tens of thousands of statements. */
const batchSize = 200;

/**
 * Runs the steps of a plan in order, inside a transaction.
 * @throws MetadataError naming the rule, when Postgres refuses a statement that the rule compiles to
 */
export async function runSteps(client: pg.ClientBase, steps: readonly Step[]): Promise<void> {
  for (let start = 0; start < steps.length; start += batchSize) {
    await runBatch(client, steps.slice(start, start + batchSize));
  }
}

async function runBatch(client: pg.ClientBase, steps: readonly Step[]): Promise<void> {
  const texts = steps.map(({ statement }) => statement.text);
  await client.query('savepoint rowgate_batch');
  try {
    await client.query(texts.join(';\n'));
  } catch {
    // Postgres did not report which statement of the batch failed. So the statements run again one by one, until the
    // same statement fails.
    await client.query('rollback to savepoint rowgate_batch');
    await runSingly(client, steps);
  }
  await client.query('release savepoint rowgate_batch');
}

async function runSingly(client: pg.ClientBase, steps: readonly Step[]): Promise<void> {
  for (const { statement, change } of steps) {
    try {
      await client.query(statement.text);
    } catch (cause) {
      throw refusal(cause, change, await missingRight(client, cause));
    }
  }
}

/** Returns the statements that give the privilege whose lack made a statement fail. */
async function missingRight(client: pg.ClientBase, cause: unknown): Promise<readonly string[]> {
  const refused = refusalIn(cause);
  if (!refused) return [];
  await client.query('rollback to savepoint rowgate_batch');
  return refusalStatements(client, refused);
}

function hintFor(code: string, change: Step['change']): string | undefined {
  if (code === '42501')
    return 'let DATABASE_URL log in as the owner of the tables, with CREATEROLE';
  if (code !== '2BP01') return undefined;
  return change.kind === 'role'
    ? 'as a superuser, in each database concerned: reassign owned by … to …; drop owned by …, of the role that is in the way'
    : 'drop or rewrite what depends on it';
}

/**
 * Turns a Postgres error into a finding about the rule whose statement failed. Errors in data or syntax come from the
 * text of the rule. A privilege error means that the applier lacks a privilege. A dependency error means that
 * user-defined objects use the object. Any other error is returned unchanged.
 */
function refusal(cause: unknown, change: Step['change'], statements: readonly string[]): unknown {
  const { code = '', message, detail } = cause as Partial<pg.DatabaseError>;
  if (!/^(22|42|2BP01)/.test(code)) return cause;
  const findingCode: DiagnosticCode = code === '42501' ? 'RG_NOT_OWNER' : 'RG_REFUSED';
  const what = code === '2BP01' && detail ? ` (${detail.replaceAll('\n', '; ')})` : '';
  const hint = hintFor(code, change);
  return new MetadataError([
    {
      code: findingCode,
      severity: 'error',
      message: `Postgres refuses to ${change.action} ${change.label}: ${message}${what}`,
      ...(change.position && { position: change.position }),
      ...(hint !== undefined && { hint }),
      ...(statements.length > 0 && { statements }),
    },
  ]);
}
