import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { diagnosticCodes } from '../../../permissions/diagnostics.ts';

test('docs/operators/lint.md names only codes of findings that exist', async () => {
  const page = path.resolve(import.meta.dirname, '../../../docs/operators/lint.md');
  const named = new Set((await readFile(page, 'utf8')).match(/RG_\w+/g));
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((code) => !(code in diagnosticCodes))).toEqual([]);
});
