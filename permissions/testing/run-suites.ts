import pg from 'pg';
import { isStopped } from '../errors.ts';
import type { TableKey } from '../types/names.ts';
import { checkGraphql } from './graphql/check-graphql.ts';
import type { OpenGraphql, RunGraphql } from './graphql/run-graphql.ts';
import { FailedStatement } from './run/failed-statement.ts';
import { type Outcome, outcomeOf } from './run/outcome.ts';
import { runTest, withSuite } from './run/run-suite.ts';
import type { Session } from './run/session.ts';
import type { TestedRules } from './run/tested-rules.ts';
import { loginLimit, stoppedLine } from './run/time-limit.ts';
import type { PermissionTest, Suite } from './suites/suite.ts';

/** An expectation with its result. */
export interface TestResult {
  readonly suite: Suite;
  readonly test: PermissionTest;
  readonly outcome: Outcome;
}

/** The environment of a run. */
export interface RunScope {
  readonly rules: TestedRules;
  /** The search path of requests. */
  readonly searchPath: string;
  /** Also runs each test over GraphQL. Absent: in SQL alone. */
  readonly openGraphql?: OpenGraphql | undefined;
}

/** Runs the tests of all files, in their order. */
export async function runSuites(
  suites: readonly Suite[],
  { rules, searchPath, openGraphql }: RunScope,
): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  for (const suite of suites) {
    await withSuite(suite, rules, searchPath, async (session) => {
      const graphql = await openGraphql?.(rules.client, session.model);
      for (const test of suite.tests) {
        const outcome = await outcomeOfTest(() => runTest(test, session), loginLimit);
        const also = graphql && (await outcomeOverGraphql(test, session, graphql));
        results.push({ suite, test, outcome: also ? bothOf(outcome, also) : outcome });
      }
    });
  }
  return results;
}

/** @param remedy where the time limit of statements is set */
async function outcomeOfTest<T>(work: () => Promise<T>, remedy: string): Promise<T | Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FailedStatement) return outcomeOf([error.message], false);
    if (error instanceof pg.DatabaseError && isStopped(error))
      return outcomeOf([stoppedLine(error, remedy)], false);
    throw error;
  }
}

function outcomeOverGraphql(test: PermissionTest, session: Session, run: RunGraphql) {
  const remedy =
    'over GraphQL, raise ROWGATE_STATEMENT_TIMEOUT_MS or the seconds in the limits of the role';
  return outcomeOfTest(() => checkGraphql(test, session, run), remedy);
}

function bothOf(one: Outcome, other: Outcome): Outcome {
  const lines = [one, other].flatMap((each) => (each.kind === 'failed' ? each.lines : []));
  const isPositive = [one, other].some((each) => each.kind === 'passed' && each.isPositive);
  return outcomeOf(lines, isPositive);
}

/**
 * Returns the tested tables of which no principal saw or wrote a row in any test. Their tests would also pass if the
 * table were empty or closed to all roles.
 */
export function tablesWithoutControl(results: readonly TestResult[]): readonly PermissionTest[] {
  const firsts = new Map<TableKey, PermissionTest>();
  for (const { test } of results) {
    if (test.kind !== 'may' && !firsts.has(test.table.key)) firsts.set(test.table.key, test);
  }
  for (const { test, outcome } of results) {
    if (outcome.kind === 'failed' || outcome.isPositive) firsts.delete(test.table.key);
  }
  return [...firsts.values()];
}

/** Returns the name of an expectation: the title of its test, and the principal. */
export function nameOf({ test }: Pick<TestResult, 'test'>): string {
  return `${test.title} (${test.kind} of ${test.table.name} as ${test.principal.name})`;
}
