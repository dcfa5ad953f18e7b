import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readPidFile } from '../../../server/db/embedded/pid-file.ts';
import { clusterFolder, makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { endPrograms } from '../../support/program.ts';
import { runRowgate, serveRowgate } from '../../support/rowgate.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await makeDataFolder();
});
afterEach(endPrograms);
afterAll(removeFolders);

async function organizations(url: string): Promise<unknown> {
  const secret = (await readFile(path.join(dataDir, 'admin-secret'), 'utf8')).trim();
  const response = await fetch(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Gql-Admin-Secret': secret },
    body: '{"query":"{ organization_aggregate { aggregate { count } } }"}',
  });
  return response.json();
}

const four = { data: { organization_aggregate: { aggregate: { count: 4 } } } };

// Whichever comes first makes the database, which the others find.
describe('with nothing configured but the data folder', () => {
  test('serve makes a database with the demo data, and stops it at its end', async () => {
    const served = await serveRowgate({ ROWGATE_DATA_DIR: dataDir });
    expect(await organizations(served.url)).toEqual(four);
    expect(served.stderr()).toContain(path.join(dataDir, 'admin-secret'));
    expect(await served.end()).toBe(0);
    expect(await readPidFile(path.join(await clusterFolder(dataDir), 'data'))).toBeUndefined();
  });

  test('serve goes on after kill -9 with its data and its secret', async () => {
    const first = await serveRowgate({ ROWGATE_DATA_DIR: dataDir });
    await first.end('SIGKILL');
    const second = await serveRowgate({ ROWGATE_DATA_DIR: dataDir });
    expect(await organizations(second.url)).toEqual(four);
    expect(await second.end()).toBe(0);
  });

  test('a second server joins the first, and outlives it', async () => {
    const first = await serveRowgate({ ROWGATE_DATA_DIR: dataDir });
    const second = await serveRowgate({ ROWGATE_DATA_DIR: dataDir });
    expect(await first.end()).toBe(0);
    expect(await organizations(second.url)).toEqual(four);
    expect(await second.end()).toBe(0);
  });

  test('a command joins the server that runs', async () => {
    const served = await serveRowgate({ ROWGATE_DATA_DIR: dataDir });
    const plan = await runRowgate(['plan'], { ROWGATE_DATA_DIR: dataDir });
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('nothing to change')]);
    expect(await organizations(served.url)).toEqual(four);
  });

  test('a command alone starts the database for its time, with the tables that the rules are about', async () => {
    const fresh = await makeDataFolder();
    const check = await runRowgate(['check'], { ROWGATE_DATA_DIR: fresh });
    expect(check.stderr).not.toContain('RG_UNKNOWN_TABLE');
    expect(check.code).toBe(0);
    const data = path.join(await clusterFolder(fresh), 'data');
    expect(await readPidFile(data)).toBeUndefined();
    expect((await stat(data)).isDirectory()).toBe(true);
  });
});
