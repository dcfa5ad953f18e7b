import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compilerRevision } from '../../../permissions/model/build-model.ts';

/** Golden cases that together contain every kind of object. A new case does not belong to them. */
const cases = [
  ...['columns', 'computed-fields', 'computed-views', 'events', 'exists', 'inherited'],
  ...['presets', 'references-visible', 'relationships', 'schemas', 'types', 'update-check'],
  ...['upsert-guards'],
];

/**
 * After a change of the compiled SQL, raise `compilerRevision` by one since the last release, and replace the digest.
 * Without a new revision, a server would serve rules that an older program has applied.
 */
test('the revision of the compiler belongs to the SQL that it makes', async () => {
  const hash = createHash('sha256');
  for (const name of cases) {
    const file = path.resolve(import.meta.dirname, '../golden', name, 'expected.sql');
    hash.update(await readFile(file));
  }
  expect([compilerRevision, hash.digest('hex').slice(0, 16)]).toEqual([3, '1020f2b70e7bdbda']);
});
