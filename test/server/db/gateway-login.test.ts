import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Config, parseConfig } from '../../../server/config.ts';
import { configuredGatewayLogin, resolveGatewayLogin } from '../../../server/db/gateway-login.ts';
import type { Environment } from '../../../server/environment.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';

const url = 'postgres://owner:p@db:5433/app?application_name=gate';

afterEach(removeFolders);

async function given(environment: Environment = {}): Promise<Config> {
  const folder = await makeDataFolder();
  return parseConfig({ DATABASE_URL: url, ROWGATE_DATA_DIR: folder, ...environment }, '/').config;
}

test('without a URL of its own the gateway logs in to the database of the owner', async () => {
  const login = await resolveGatewayLogin(await given(), url);
  expect(login.name).toBe('rowgate_app_gateway_login');
  expect(login.url).toBe(
    `postgres://rowgate_app_gateway_login:${login.password}@db:5433/app?application_name=gate`,
  );
});

test('the role prefix is the one configured', async () => {
  const config = await given({ ROWGATE_ROLE_PREFIX: 'acme_' });
  expect((await resolveGatewayLogin(config, url)).name).toBe('acme_gateway_login');
});

test('the password is made once and kept where only its user reads it', async () => {
  const config = await given();
  const first = await resolveGatewayLogin(config, url);
  const second = await resolveGatewayLogin(config, url);
  expect(second.password).toBe(first.password);
  const [file = ''] = await readdir(config.dataDir);
  expect((await stat(path.join(config.dataDir, file))).mode & 0o777).toBe(0o600);
});

test('two that ask at once get the same password', async () => {
  const config = await given();
  const logins = await Promise.all(
    Array.from({ length: 8 }, () => resolveGatewayLogin(config, url)),
  );
  expect(new Set(logins.map(({ password }) => password)).size).toBe(1);
});

test('another server has another password', async () => {
  const config = await given();
  const here = await resolveGatewayLogin(config, url);
  const there = await resolveGatewayLogin(config, 'postgres://owner:p@other:5433/app');
  expect(there.password).not.toBe(here.password);
});

test('a configured login keeps its password to itself', () => {
  expect(configuredGatewayLogin('postgres://gate:secret@db/app')).toEqual({
    name: 'gate',
    password: undefined,
    url: 'postgres://gate:secret@db/app',
  });
});
