import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Diagnostic, formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { databaseFindings } from '../../../permissions/lint/database-findings.ts';
import { metadataFindings } from '../../../permissions/lint/metadata-findings.ts';
import { tableFindings } from '../../../permissions/lint/table-findings.ts';
import type { Prepared } from '../../../permissions/plan/prepare.ts';
import { platformSchemas } from '../../../server/platform/tables.ts';
import { runCommand } from '../../support/command-line.ts';
import { type Installation, install } from '../support/installation.ts';
import { withPrepared } from './with-prepared.ts';

let platform: Installation;
beforeAll(async () => {
  const rules = path.resolve(import.meta.dirname, '../../../metadata');
  platform = await install({ from: 'platform', rules });
});
afterAll(() => platform.drop());

async function findingsOf(
  findings: (prepared: Prepared) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>,
): Promise<readonly string[]> {
  const inspected = { ...platform, applicationSchemas: platformSchemas };
  const found = await withPrepared(platform.owner, inspected, async (prepared) =>
    findings(prepared),
  );
  return found.map(formatDiagnostic);
}

test('check reports nothing about the database objects of the platform', async () => {
  expect(await findingsOf((prepared) => databaseFindings(platform.owner, prepared))).toEqual([]);
});

test("check reports nothing about keys and indexes of the platform's tables", async () => {
  expect(await findingsOf((prepared) => tableFindings(platform.owner, prepared))).toEqual([]);
});

test('no rule of the platform has an unbound _exists or a pattern from a variable', async () => {
  const doubtful = await findingsOf(({ loaded }) =>
    metadataFindings(loaded).filter((one) =>
      ['RG_UNBOUND_EXISTS', 'RG_VARIABLE_PATTERN'].includes(one.code),
    ),
  );
  expect(doubtful).toEqual([]);
});

test('check --strict passes for the platform: every warning is accepted with a reason', async () => {
  const environment = {
    DATABASE_URL: platform.database.ownerUrl,
    ROWGATE_ROLE_PREFIX: platform.prefix,
    ROWGATE_DATA_DIR: inject('scratch'),
  };
  const { code, stderr } = await runCommand(['check', '--strict'], environment);
  expect([code, stderr]).toEqual([0, '5 accepted\n']);
});
