import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../.ci');
const script = path.join(folder, 'run');

test('the CI script is executable and has no bash syntax error', () => {
  expect(statSync(script).mode & 0o111).toBe(0o111);
  execFileSync('bash', ['-n', script]);
});

test('the CI script stops at the first failure and ignores none', () => {
  expect(readFileSync(script, 'utf8')).toContain('\nset -euo pipefail\n');
  expect(readFileSync(script, 'utf8')).not.toMatch(/\|\|\s*(true|:)/);
});

test('each pattern of the test projects matches a file in every alternative', () => {
  const root = path.resolve(folder, '..');
  const config = readFileSync(path.join(root, 'vitest.config.ts'), 'utf8');
  const patterns = [...config.matchAll(/'(test\/[^']+)'/g)].flatMap(([, pattern]) =>
    alternatives(String(pattern)),
  );
  expect(patterns.length).toBeGreaterThan(100);
  expect(patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([]);
});

/** Returns one pattern for each alternative in the braces of a pattern. */
function alternatives(pattern: string): readonly string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (!braces) return [pattern];
  const [outer, inner = ''] = braces;
  return inner.split(',').flatMap((one) => alternatives(pattern.replace(outer, one)));
}

describe('the summary that CI prints about a test run', () => {
  let work: string;

  beforeEach(() => {
    work = mkdtempSync(path.join(tmpdir(), 'rowgate-ci-'));
  });

  afterEach(() => rmSync(work, { recursive: true }));

  function summaryOf(counts: Record<string, number>): string {
    const report = path.join(work, 'report.json');
    const none = {
      numPassedTests: 0,
      numFailedTests: 0,
      numFailedTestSuites: 0,
      numPendingTests: 0,
    };
    writeFileSync(report, JSON.stringify({ ...none, ...counts }));
    const summary = path.join(folder, 'summary.mjs');
    return execFileSync(process.execPath, [summary, report], { encoding: 'utf8' });
  }

  test('is one line with the passed and failed tests', () => {
    expect(summaryOf({ numPassedTests: 12 })).toBe('12 passed, 0 failed\n');
  });

  test('also counts skipped tests', () => {
    expect(summaryOf({ numPassedTests: 12, numPendingTests: 2 })).toBe(
      '12 passed, 0 failed, 2 skipped\n',
    );
  });

  test('counts a test file that could not be loaded as failed', () => {
    expect(summaryOf({ numPassedTests: 12, numFailedTestSuites: 1 })).toBe('12 passed, 1 failed\n');
  });
});
