import { expect, test } from 'vitest';
import { driftText } from '../../../permissions/commands/print/print-drift.ts';
import { planText } from '../../../permissions/commands/print/print-plan.ts';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';

/** A name that clears the terminal and starts a new line. */
const name = 'a\u001b[2J\n::error::b';
const harmless = 'a\\u001b[2J\\u000a::error::b';

test('a finding about an object whose name contains terminal escape sequences is printed escaped and on one line', () => {
  const finding = {
    code: 'RG_FOREIGN_POLICY',
    severity: 'error',
    message: name,
    hint: name,
  } as const;
  expect(formatDiagnostic(finding)).toBe(`RG_FOREIGN_POLICY ${harmless}; ${harmless}`);
});

test('drift of an object whose name contains terminal escape sequences is printed escaped and on one line', () => {
  const differences = [{ kind: 'policy', what: 'added', text: name }] as const;
  const lines = driftText({
    applied: true,
    current: true,
    differences,
    pending: 0,
    copiedFrom: [],
    replaced: [name],
  });
  expect(lines).toContain(`  ${harmless}`);
  expect(lines).toContainEqual(expect.stringContaining(`warning: ${harmless} was replaced`));
});

const noLocks = { tables: [], lockTimeoutMs: 500, attempts: 40, heldSeconds: 60 };

test('a plan with an object whose name contains terminal escape sequences is printed escaped and on one line', () => {
  const change = {
    action: 'drop',
    kind: 'policy',
    id: '',
    label: name,
    remove: [],
    removedAs: 0,
    statements: [],
    position: undefined,
  } as const;
  expect(planText({ changes: [change], digest: '' }, noLocks, { sql: false })).toContain(
    `- ${harmless}`,
  );
});
