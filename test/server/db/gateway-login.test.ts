import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Config, parseConfig } from '../../../server/config/config.ts';
import type { Environment } from '../../../server/config/environment.ts';
import { configuredLogin, resolveLogin } from '../../../server/db/logins/logins.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';

const url = 'postgres://owner:p@db:5433/app?application_name=gate';

afterEach(removeFolders);

async function given(environment: Environment = {}): Promise<Config> {
  const folder = await makeDataFolder();
  return parseConfig({ DATABASE_URL: url, ROWGATE_DATA_DIR: folder, ...environment }, '/').config;
}

test("without a URL for the gateway login, the gateway connects to the database of the owner's URL", async () => {
  const login = await resolveLogin(await given(), url, 'gateway');
  expect(login.name).toBe('rowgate_app_gateway_login');
  expect(login.url).toBe(
    `postgres://rowgate_app_gateway_login:${login.password}@db:5433/app?application_name=gate`,
  );
});

test('the name of the gateway login starts with the configured role prefix', async () => {
  const config = await given({ ROWGATE_ROLE_PREFIX: 'acme_' });
  expect((await resolveLogin(config, url, 'gateway')).name).toBe('acme_gateway_login');
});

test('the password of the gateway login is created once, and only its user can read the file', async () => {
  const config = await given();
  const first = await resolveLogin(config, url, 'gateway');
  const second = await resolveLogin(config, url, 'gateway');
  expect(second.password).toBe(first.password);
  const [file = ''] = await readdir(config.dataDir);
  expect((await stat(path.join(config.dataDir, file))).mode & 0o777).toBe(0o600);
});

test('two processes that start at the same time use the same password for the gateway login', async () => {
  const config = await given();
  const logins = await Promise.all(
    Array.from({ length: 8 }, () => resolveLogin(config, url, 'gateway')),
  );
  expect(new Set(logins.map(({ password }) => password)).size).toBe(1);
});

test('the gateway login has a different password for each database server', async () => {
  const config = await given();
  const here = await resolveLogin(config, url, 'gateway');
  const there = await resolveLogin(config, 'postgres://owner:p@other:5433/app', 'gateway');
  expect(there.password).not.toBe(here.password);
});

test('Rowgate sets no password for a login whose URL is configured', () => {
  expect(configuredLogin('postgres://gate:secret@db/app')).toEqual({
    name: 'gate',
    password: undefined,
    url: 'postgres://gate:secret@db/app',
  });
});
