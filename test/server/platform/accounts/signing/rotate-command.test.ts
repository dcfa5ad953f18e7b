import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveLogin } from '../../../../../server/db/logins/logins.ts';
import { openSigningKeys } from '../../../../../server/platform/accounts/signing/open-signing-keys.ts';
import { runCommand } from '../../../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({ database, rest: true, graphql: false });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const retire = 'update rowgate_auth.signing_key set retired_at = now()';
const rotate = (environment: Readonly<Record<string, string>>) =>
  runCommand(['keys', 'rotate'], {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: server.config.dataDir,
    ...environment,
  });

test('rowgate keys rotate prints only the new signing key, and the published key set still contains the old one', async () => {
  const secretKey = String(server.config.identity.secretKey);
  const { code, stdout } = await rotate({ ROWGATE_SECRET_KEY: secretKey });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^[\w-]{43}\n$/)]);
  const owner = await database.connectOwner();
  const keys = await openSigningKeys({ pool: owner, secretKey, previousSecretKey: undefined });
  expect((await keys.publicKeys()).map(({ kid }) => kid)).toEqual([
    stdout.trim(),
    expect.stringMatching(/^[\w-]{43}$/),
  ]);
});

test('rowgate keys rotate explains what to do when the secret that encrypts the keys has changed', async () => {
  const { code, stdout, stderr } = await rotate({ ROWGATE_SECRET_KEY: 'x'.repeat(40) });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('RG_CONFIG ROWGATE_SECRET_KEY does not open the signing key');
  expect(stderr).toContain('keys rotate --forget');
  expect(stderr).not.toContain('xxxx');
});

test('the login of the server can neither change nor delete signing keys', async () => {
  const { name } = await resolveLogin(server.config, database.ownerUrl, 'sidecar');
  const become = `set role ${pg.escapeIdentifier(name)}`;
  for (const statement of ['delete from rowgate_auth.signing_key', retire]) {
    const attempt = query(database.superuserUrl, become, statement);
    await expect(attempt).rejects.toThrow('permission denied for table signing_key');
  }
});
