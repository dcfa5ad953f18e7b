import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { readPidFile } from '../../../../server/db/embedded/pid-file.ts';
import {
  holdCluster,
  makeClusterFolder,
  makeDataFolder,
  removeFolders,
  startCluster,
} from '../../../support/data-folder.ts';
import { endPrograms, startProgram } from '../../../support/program.ts';
import { query } from '../../../support/query.ts';

const cleanUp = async () => {
  await endPrograms();
  await removeFolders();
};

const startedAt = 'select pg_postmaster_start_time()::text as at';
const insertSeven = ['create table preserved (id int)', 'insert into preserved values (7)'];
const one = [{ one: 1 }];
const isRunning = async (folder: string) =>
  (await readPidFile(path.join(folder, 'data'))) !== undefined;

describe('after kill -9 of the program, while the embedded Postgres still runs,', () => {
  afterAll(cleanUp);

  test('the next process uses the running Postgres with its data, and stops it when it ends', async () => {
    const folder = await makeClusterFolder();
    const killed = await holdCluster(folder);
    await query(killed.ownerUrl, ...insertSeven);
    const before = await query(killed.ownerUrl, startedAt);
    await killed.end('SIGKILL');
    const next = await startCluster(folder);
    expect(await query(next.ownerUrl, startedAt)).toEqual(before);
    expect(await query(next.ownerUrl, 'select id from preserved')).toEqual([{ id: 7 }]);
    // Postgres stops although the killed process never reported the end of its use, because a dead process does not
    // count as a user.
    await next.stop();
    expect(await isRunning(next.folder)).toBe(false);
  });
});

describe('after kill -9 of the embedded Postgres', () => {
  afterEach(cleanUp);

  test('a new start has the committed data', async () => {
    const folder = await makeClusterFolder();
    const killed = await holdCluster(folder);
    await query(killed.ownerUrl, ...insertSeven);
    const postmaster = await readPidFile(path.join(killed.folder, 'data'));
    process.kill(Number(postmaster?.pid), 'SIGKILL');
    await killed.end('SIGKILL');
    const next = await startCluster(folder);
    expect(await query(next.ownerUrl, 'select id from preserved')).toEqual([{ id: 7 }]);
    await next.stop();
  });

  test('a new start succeeds although another process now has the process id of the killed Postgres', async () => {
    const folder = await makeClusterFolder();
    const killed = await startCluster(folder);
    const pidFile = path.join(killed.folder, 'data', 'postmaster.pid');
    const left = (await readFile(pidFile, 'utf8')).split('\n');
    await killed.stop();
    const stranger = startProgram('sleep', ['60']);
    await writeFile(pidFile, [stranger.pid, ...left.slice(1)].join('\n'));
    const next = await startCluster(folder);
    expect(await query(next.ownerUrl, 'select 1 as one')).toEqual(one);
    await next.stop();
  });
});

describe('the embedded Postgres creates its cluster again', () => {
  afterEach(cleanUp);

  test('after a crash during initdb', async () => {
    const folder = await makeDataFolder();
    const partial = path.join(folder, 'postgres', 'data.partial');
    await mkdir(path.join(partial, 'base'), { recursive: true });
    await writeFile(path.join(partial, 'PG_VERSION'), '18\n');
    await writeFile(path.join(folder, 'postgres', 'initdb-password'), 'left');
    const made = await startCluster(folder);
    expect(await query(made.ownerUrl, 'select 1 as one')).toEqual(one);
    await made.stop();
  });

  test('after the cluster folder was deleted, with the same passwords', async () => {
    const folder = await makeClusterFolder();
    const password = await readFile(path.join(folder, 'postgres-owner-password'), 'utf8');
    await rm(path.join(folder, 'postgres'), { recursive: true });
    const second = await startCluster(folder);
    expect(await query(second.ownerUrl, 'select 1 as one')).toEqual(one);
    expect(new URL(second.ownerUrl).password).toBe(password.trim());
    await second.stop();
  });
});

describe('two programs that start at the same time with one data folder', () => {
  afterEach(cleanUp);

  test('create one embedded Postgres, share it until the last one ends, and may end together', async () => {
    const folder = await makeDataFolder();
    const [first, second] = await Promise.all([holdCluster(folder), holdCluster(folder)]);
    expect(await query(first.ownerUrl, startedAt)).toEqual(await query(second.ownerUrl, startedAt));
    expect(await first.end()).toBe(0);
    expect(await query(second.ownerUrl, 'select 1 as one')).toEqual(one);
    const third = await holdCluster(path.dirname(second.folder));
    expect(await Promise.all([second.end(), third.end()])).toEqual([0, 0]);
    expect(await isRunning(second.folder)).toBe(false);
  });
});

test('a program with another data folder starts another Postgres, which continues when the first program ends', async () => {
  const first = await startCluster(await makeClusterFolder());
  const second = await startCluster(await makeClusterFolder());
  await first.stop();
  expect(await query(second.ownerUrl, 'select 1 as one')).toEqual(one);
  await second.stop();
  await cleanUp();
});
