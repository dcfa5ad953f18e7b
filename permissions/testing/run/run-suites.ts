import type { TableKey } from '../../types/names.ts';
import type { PermissionTest, Suite } from '../suites/suite.ts';
import type { Outcome } from './outcome.ts';
import { runTest, withSuite } from './run-suite.ts';
import type { TestedRules } from './tested-rules.ts';

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
}

/** Runs the tests of all files, in their order. */
export async function runSuites(
  suites: readonly Suite[],
  { rules, searchPath }: RunScope,
): Promise<readonly TestResult[]> {
  const results: TestResult[] = [];
  for (const suite of suites) {
    await withSuite(suite, rules, searchPath, async (session) => {
      for (const test of suite.tests) {
        results.push({ suite, test, outcome: await runTest(test, session) });
      }
    });
  }
  return results;
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
