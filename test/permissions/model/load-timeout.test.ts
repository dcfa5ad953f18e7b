import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel } from '../../../permissions/index.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { removeMetadata, writeMetadata } from '../support/metadata-files.ts';

const impatientMs = 1;
const patientMs = 120_000;

let database: TestDatabase;
let impatient: pg.Pool;
let metadata: string;
beforeAll(async () => {
  database = await createDatabase();
  impatient = new pg.Pool({ connectionString: database.ownerUrl, query_timeout: impatientMs });
  metadata = await writeMetadata({ 'roles.yaml': 'roles: { member: {} }\n' });
});
afterAll(async () => {
  await impatient.end();
  await database.drop();
  await removeMetadata();
});

const naming = { headerPrefix: 'X-Gql-' };

test('rules are loaded within their own limit of time, which may be longer than that of the connection', async () => {
  const options = { metadata, client: impatient, ...naming };
  await expect(loadModel(options)).rejects.toThrow('Query read timeout');
  expect([...(await loadModel({ ...options, timeoutMs: patientMs })).roles.keys()]).toEqual([
    'member',
    'admin',
  ]);
});
