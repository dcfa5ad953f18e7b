import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readPidFile } from '../../../../server/db/embedded/pid-file.ts';
import { holdCluster, makeDataFolder, removeFolders } from '../../../support/data-folder.ts';
import { endPrograms, startProgram } from '../../../support/program.ts';
import { query } from '../../../support/query.ts';

afterEach(async () => {
  await endPrograms();
  await removeFolders();
});

const startedAt = 'select pg_postmaster_start_time()::text as at';
const isRunning = async (folder: string) =>
  (await readPidFile(path.join(folder, 'data'))) !== undefined;

describe('after kill -9 of the program', () => {
  test('the next one joins the server that is left, with its data', async () => {
    const folder = await makeDataFolder();
    const killed = await holdCluster(folder);
    await query(killed.ownerUrl, 'create table kept (id int)', 'insert into kept values (7)');
    const before = await query(killed.ownerUrl, startedAt);
    await killed.end('SIGKILL');
    const next = await holdCluster(folder);
    expect(await query(next.ownerUrl, startedAt)).toEqual(before);
    expect(await query(next.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  test('the killed one does not count as a user: the next one stops the server at its end', async () => {
    const folder = await makeDataFolder();
    await (await holdCluster(folder)).end('SIGKILL');
    const next = await holdCluster(folder);
    expect(await next.end()).toBe(0);
    expect(await isRunning(next.folder)).toBe(false);
  });
});

describe('after kill -9 of Postgres itself', () => {
  test('committed data is there again', async () => {
    const folder = await makeDataFolder();
    const killed = await holdCluster(folder);
    await query(killed.ownerUrl, 'create table kept (id int)', 'insert into kept values (7)');
    const postmaster = await readPidFile(path.join(killed.folder, 'data'));
    process.kill(Number(postmaster?.pid), 'SIGKILL');
    await killed.end('SIGKILL');
    const next = await holdCluster(folder);
    expect(await query(next.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  test('a process that got the same id meanwhile does not block the start', async () => {
    const folder = await makeDataFolder();
    const killed = await holdCluster(folder);
    const pidFile = path.join(killed.folder, 'data', 'postmaster.pid');
    const left = (await readFile(pidFile, 'utf8')).split('\n');
    await killed.end();
    const stranger = startProgram('sleep', ['60']);
    await writeFile(pidFile, [stranger.pid, ...left.slice(1)].join('\n'));
    const next = await holdCluster(folder);
    expect(await query(next.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('what a crash in the middle of initdb has left is made anew', async () => {
  const folder = await makeDataFolder();
  const partial = path.join(folder, 'postgres', 'data.partial');
  await mkdir(path.join(partial, 'base'), { recursive: true });
  await writeFile(path.join(partial, 'PG_VERSION'), '18\n');
  await writeFile(path.join(folder, 'postgres', 'initdb-password'), 'left');
  const { ownerUrl } = await holdCluster(folder);
  expect(await query(ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a deleted cluster is made anew with the same passwords', async () => {
  const folder = await makeDataFolder();
  const first = await holdCluster(folder);
  await first.end();
  await rm(first.folder, { recursive: true });
  const second = await holdCluster(folder);
  expect(await query(second.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});

describe('two programs at once', () => {
  test('make one cluster and share it', async () => {
    const folder = await makeDataFolder();
    const [one, two] = await Promise.all([holdCluster(folder), holdCluster(folder)]);
    expect(await query(one.ownerUrl, startedAt)).toEqual(await query(two.ownerUrl, startedAt));
  });

  test('keep it until the last of them ends', async () => {
    const folder = await makeDataFolder();
    const [one, two] = await Promise.all([holdCluster(folder), holdCluster(folder)]);
    await one.end();
    expect(await query(two.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await two.end();
    expect(await isRunning(two.folder)).toBe(false);
  });

  test('may end at the same time', async () => {
    const folder = await makeDataFolder();
    const [one, two] = await Promise.all([holdCluster(folder), holdCluster(folder)]);
    expect(await Promise.all([one.end(), two.end()])).toEqual([0, 0]);
    expect(await isRunning(two.folder)).toBe(false);
  });
});

test('a program with another data folder has another server, which the first does not stop', async () => {
  const one = await holdCluster(await makeDataFolder());
  const two = await holdCluster(await makeDataFolder());
  await one.end();
  expect(await query(two.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});
