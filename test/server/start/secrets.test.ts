import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { resolveAdminSecret } from '../../../server/db/server-secrets.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';

afterEach(removeFolders);

test('with an embedded database the server generates a missing secret, stores it, and returns only the path of the file', async () => {
  const dataDir = path.join(await makeDataFolder(), 'data');
  const { config } = parseConfig({ ROWGATE_DATA_DIR: dataDir }, '/');
  const first = await resolveAdminSecret(config);
  expect(first.value.length).toBeGreaterThanOrEqual(32);
  expect(first.file).toBe(path.join(dataDir, 'admin-secret'));
  expect(await readFile(path.join(dataDir, 'admin-secret'), 'utf8')).toBe(`${first.value}\n`);
  expect((await stat(path.join(dataDir, 'admin-secret'))).mode & 0o777).toBe(0o600);
  expect(await resolveAdminSecret(config)).toEqual(first);
});

test('with a given database the server does not start without a configured secret', async () => {
  const { config } = parseConfig({ DATABASE_URL: 'postgres://o@db/app' }, '/');
  await expect(resolveAdminSecret(config)).rejects.toMatchObject({
    code: 'RG_CONFIG',
    exitCode: 2,
    message: 'ROWGATE_ADMIN_SECRET is not set',
  });
});

test('the server uses a configured secret unchanged', async () => {
  const secret = 's'.repeat(32);
  const { config } = parseConfig({ ROWGATE_ADMIN_SECRET: secret }, '/');
  expect(await resolveAdminSecret(config)).toEqual({ value: secret, file: undefined });
});
