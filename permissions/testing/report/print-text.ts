import { shown } from '../../text/characters.ts';
import { counted } from '../../text/counted.ts';
import { nameOf, type TestResult } from '../run-suites.ts';
import type { PermissionTest } from '../suites/suite.ts';

/** Everything that a run found out about the tests themselves. */
export interface RunReport {
  readonly results: readonly TestResult[];
  /** A test of each table of which no principal saw or wrote a row. */
  readonly withoutControl: readonly PermissionTest[];
}

/** Returns whether every test passed, and every table has a positive control. */
export function hasPassed({ results, withoutControl }: RunReport): boolean {
  return withoutControl.length === 0 && results.every(({ outcome }) => outcome.kind === 'passed');
}

/** Returns the failures of a run and its numbers, as lines for people. */
export function printText({ results, withoutControl }: RunReport): readonly string[] {
  const failed = results.flatMap((result) => {
    if (result.outcome.kind === 'passed') return [];
    const lines = result.outcome.lines.map((line) =>
      shown(`    ${result.test.principal.name} ${line}`),
    );
    return [shown(`${placeOf(result.test)} ${nameOf(result)}`), ...lines];
  });
  const controls = withoutControl.map((test) => shown(`${placeOf(test)} ${controlMessage(test)}`));
  const files = new Set(results.map(({ suite }) => suite.file)).size;
  const count = results.filter(({ outcome }) => outcome.kind === 'failed').length;
  const passed = results.length - count;
  const numbers = `${passed} of ${counted(results.length, 'expectation')} in ${counted(files, 'file')} hold`;
  return [...failed, ...controls, count === 0 ? numbers : `${numbers}, ${count} failed`];
}

/** Returns the message about a table whose tests contain only refusals. */
export function controlMessage({ table }: PermissionTest): string {
  return `no test shows a row of ${table.schema}.${table.name} to any principal, so its tests would also pass on an empty table; add one that sees or writes a row`;
}

export function placeOf({ position: { file, line, column } }: PermissionTest): string {
  return `${file}:${line}:${column}`;
}
