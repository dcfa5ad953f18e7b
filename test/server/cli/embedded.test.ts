import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPidFile } from '../../../server/db/embedded/pid-file.ts';
import type { RunningServer } from '../../../server/start/start-server.ts';
import { runCommand } from '../../support/command-line.ts';
import { clusterFolder, makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { endPrograms } from '../../support/program.ts';
import { type Served, serveRowgate } from '../../support/rowgate.ts';
import { ask, start } from './support/start.ts';

const four = { data: { organization_aggregate: { aggregate: { count: 4 } } } };

const reasonIn = ({ ROWGATE_DATA_DIR }: Readonly<Record<'ROWGATE_DATA_DIR', string>>) =>
  `DATABASE_URL is not set, so this uses a Postgres of its own in ${ROWGATE_DATA_DIR}`;

afterAll(async () => {
  await endPrograms();
  await removeFolders();
});

// Each test depends on the server that the previous test has started.
describe('rowgate serve without a database URL, with only a data folder', {
  shuffle: false,
}, () => {
  let environment: Record<'ROWGATE_DATA_DIR', string>;
  let served: Served;
  let joined: RunningServer;

  beforeAll(async () => {
    environment = { ROWGATE_DATA_DIR: await makeDataFolder() };
    served = await serveRowgate(environment);
  });

  test('says first that it uses a Postgres of its own, where, and why', () => {
    expect(served.stderr().split('\n')[0]).toBe(`rowgate: ${reasonIn(environment)}`);
  });

  const secretFile = () => path.join(environment.ROWGATE_DATA_DIR, 'admin-secret');

  async function organizations({ url }: { readonly url: string }): Promise<unknown> {
    const secret = (await readFile(secretFile(), 'utf8')).trim();
    const response = await ask(url, '{ organization_aggregate { aggregate { count } } }', secret);
    return response.json();
  }

  test('creates its own Postgres with the demo data', async () => {
    expect(await organizations(served)).toEqual(four);
    expect(served.stderr()).toContain(secretFile());
  });

  test('shares its Postgres with a command that runs meanwhile', async () => {
    const plan = await runCommand(['plan'], environment);
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('nothing to change')]);
    expect(await organizations(served)).toEqual(four);
  });

  test('still has its data and its admin secret when it starts again after kill -9', async () => {
    await served.end('SIGKILL');
    served = await serveRowgate(environment);
    expect(await organizations(served)).toEqual(four);
  });

  test('shares its Postgres with a second server, which continues after the first one ends', async () => {
    joined = await start(environment);
    expect(await served.end()).toBe(0);
    expect(await organizations(joined)).toEqual(four);
  });

  test('stops its Postgres when the last server ends', async () => {
    await joined.stop();
    const data = path.join(await clusterFolder(environment.ROWGATE_DATA_DIR), 'data');
    expect(await readPidFile(data)).toBeUndefined();
  });
});

test('a command without a running server starts the embedded Postgres, migrates it and stops it again', async () => {
  const fresh = await makeDataFolder();
  const check = await runCommand(['check'], { ROWGATE_DATA_DIR: fresh });
  expect(check.stderr).not.toContain('RG_UNKNOWN_TABLE');
  expect(check.stderr).toContain(`rowgate: ${reasonIn({ ROWGATE_DATA_DIR: fresh })}\n`);
  expect(check.code).toBe(0);
  const data = path.join(await clusterFolder(fresh), 'data');
  expect(await readPidFile(data)).toBeUndefined();
  expect((await stat(data)).isDirectory()).toBe(true);
});
