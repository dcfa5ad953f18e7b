import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectSql, writeProject } from '../../../bench/generated-project.ts';
import { loadModel } from '../../../permissions/index.ts';
import { adminSecretAuthenticator } from '../../../server/caller/authenticate.ts';
import { Closers } from '../../../server/closers.ts';
import { parseConfig } from '../../../server/config/config.ts';
import { makeAdminRoutes } from '../../../server/start/admin-routes.ts';
import { adminSecretScheme } from '../../../server/start/data-api-schemes.ts';
import { describeInBrowser } from '../../support/chromium.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startApp, type TestApp } from '../http/support/app.ts';
import { type ConsolePage, openConsole } from './support/console-page.ts';

const secret = 'a-secret-of-at-least-32-characters!!';
const size = { tables: 300, roles: 20 };

const noRegistry = () => {
  throw new Error('no query is explained here');
};

describeInBrowser('the console on 300 tables and 20 roles (needs /usr/bin/chromium)', () => {
  let database: TestDatabase;
  let folder: string;
  let app: TestApp;
  let opened: ConsolePage;
  const closers = new Closers();
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rowgate-project-'));
    await writeProject(folder, size);
    database = await createDatabase({ from: 'gateway' });
    const owner = await database.connectOwner();
    await owner.query(projectSql(size));
    // The rules are not applied, because the matrix needs only the tables and the metadata.
    const model = await loadModel({ metadata: folder, client: owner, headerPrefix: 'X-Gql-' });
    const { config } = parseConfig({ ROWGATE_CONSOLE: 'on' }, folder);
    const routes = makeAdminRoutes(secret, {
      ...{ adminSecret: adminSecretAuthenticator(secret), scheme: adminSecretScheme('X-Gql-') },
      ...{
        model: () => model,
        registry: noRegistry,
        ownerUrl: () => database.ownerUrl,
      },
      ...{ config, closers, logger: pino({ level: 'silent' }) },
    });
    app = await startApp({ endpoints: routes });
    opened = await openConsole(app.url, secret);
  });
  afterAll(async () => {
    await opened.close();
    await app.stop();
    await closers.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const lastTable = () => opened.page.getByRole('rowheader', { name: 'record_299' });

  test('the matrix draws only the rows in view, and states how many there are', async () => {
    const { page } = opened;
    expect(await page.getByRole('rowheader').count()).toBeLessThan(40);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('301');
    expect(await lastTable().count()).toBe(0);
  });

  test('Ctrl-End goes to the last table, and Ctrl-Home back', async () => {
    const { page } = opened;
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('Control+End');
    await lastTable().waitFor();
    await expect.poll(() => page.locator(':focus').getAttribute('data-cell')).toBe('299-19');
    await page.keyboard.press('Control+Home');
    await expect.poll(() => page.locator(':focus').getAttribute('data-cell')).toBe('0-0');
  });

  test('scrolling shows other tables, and the address of a cell shows it', async () => {
    const { page } = opened;
    await page.getByRole('gridcell').first().hover();
    await page.mouse.wheel(0, 1e6);
    await lastTable().waitFor();
    await opened.go('matrix?on=public.record_299&as=role_19');
    await expect(lastTable().waitFor()).resolves.toBeUndefined();
    expect(await page.getByRole('gridcell', { selected: true }).count()).toBe(1);
  });

  test('all tables need one request, whose answer is compressed', async () => {
    const answer = opened.page.waitForResponse((response) =>
      response.url().endsWith('/admin/matrix'),
    );
    await opened.go('matrix');
    expect((await answer).headers()['content-encoding']).toBe('gzip');
    await opened.page.getByRole('grid').waitFor();
    const before = opened.requested.length;
    await opened.page.getByRole('searchbox', { name: 'Table' }).fill('record_2');
    await opened.page.getByLabel('Operation').selectOption('all');
    await opened.page.getByRole('gridcell').first().click();
    await opened.page.getByRole('region', { name: 'role_00 on public.record_200' }).waitFor();
    expect(opened.requested.length).toBe(before);
    expect(opened.failures).toEqual([]);
  });
});
