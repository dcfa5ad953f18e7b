import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { databaseFindings } from '../../../permissions/lint/database-findings.ts';
import { tableFindings } from '../../../permissions/lint/table-findings.ts';
import { type Installation, install } from '../support/installation.ts';
import { looking } from './looking.ts';

let platform: Installation;
beforeAll(async () => {
  const rules = path.resolve(import.meta.dirname, '../../../metadata');
  platform = await install({ from: 'platform', rules });
});
afterAll(() => platform.drop());

test.each([
  ['database', databaseFindings],
  ['tables', tableFindings],
])('the %s of the platform gives nothing to tell', async (_name, findings) => {
  const { owner } = platform;
  const told = await looking(owner, platform, (prepared) => findings(owner, prepared));
  expect(told.map(formatDiagnostic)).toEqual([]);
});
