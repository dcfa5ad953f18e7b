import { chown, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemFolder } from '../../../../server/db/embedded/home.ts';
import { type Checkout, copyCheckout } from '../../../support/checkout.ts';
import {
  holdCluster,
  makeClusterFolder,
  makeDataFolder,
  removeFolders,
  startCluster,
} from '../../../support/data-folder.ts';
import { endPrograms } from '../../../support/program.ts';
import { query } from '../../../support/query.ts';

const isRoot = process.getuid?.() === 0;
const unprivileged = { uid: 65534, gid: 65534 };

const cleanUp = async () => {
  await endPrograms();
  await removeFolders();
};

const selectOne = (url: string) => query(url, 'select 1 as one');

describe('the embedded Postgres creates its cluster', () => {
  afterEach(cleanUp);

  test('under a locale that this machine lacks', async () => {
    const env = { LANG: 'xx_XX.UTF-8', LC_ALL: 'xx_XX.UTF-8' };
    const { ownerUrl } = await holdCluster(await makeDataFolder(), { env });
    expect(await selectOne(ownerUrl)).toEqual([{ one: 1 }]);
  });

  test('in a folder with a space and a quote in its name', async () => {
    const home = path.join(await makeDataFolder(), "it's here");
    await mkdir(home);
    const { node, script } = await copyCheckout(home);
    const holder = await holdCluster(path.join(home, '.rowgate'), { node, script });
    expect(await selectOne(holder.ownerUrl)).toEqual([{ one: 1 }]);
    expect(await holder.end()).toBe(0);
  });

  test('but not when the shell of initdb would interpret the name of its program folder', async () => {
    const home = path.join(await makeDataFolder(), '$(reboot)');
    await mkdir(home);
    const { node, script } = await copyCheckout(home);
    await expect(holdCluster(path.join(home, '.rowgate'), { node, script })).rejects.toThrow(
      /initdb cannot start Postgres from .*reboot/,
    );
  });

  test('under a umask that hides new files from other users, without LANG, HOME or PATH', async () => {
    const folder = path.join(await makeDataFolder(), '.rowgate');
    const { ownerUrl } = await holdCluster('077', {
      node: '/bin/sh',
      script: path.join(import.meta.dirname, '../../../support/with-umask.sh'),
      env: { NODE: process.execPath, DATA_DIR: folder },
    });
    expect(await selectOne(ownerUrl)).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot)('started by root from a home folder that other users cannot enter,', () => {
  afterAll(cleanUp);

  test('a checkout of the program stores its cluster in the system folder, and a second start finds the data there', async () => {
    const home = await makeDataFolder(0o700);
    const dataDir = path.join(home, '.rowgate');
    const { node, script } = await copyCheckout(home);
    const holder = await holdCluster(dataDir, { node, script, cwd: home });
    await query(holder.ownerUrl, 'create table preserved (id int)');
    expect(path.dirname(holder.folder)).toBe(systemFolder);
    expect(await holder.end()).toBe(0);
    const second = await startCluster(dataDir);
    expect(await query(second.ownerUrl, 'select count(*)::int as rows from preserved')).toEqual([
      { rows: 0 },
    ]);
    await second.stop();
  });
});

describe.runIf(isRoot)('started by an ordinary user, with root preparing the test,', () => {
  let home: string;
  let checkout: Checkout;

  beforeAll(async () => {
    home = await makeDataFolder();
    checkout = await copyCheckout(home);
    await mkdir(path.join(home, '.rowgate'));
    await chown(path.join(home, '.rowgate'), unprivileged.uid, unprivileged.gid);
  });
  afterAll(cleanUp);

  test('an ordinary user runs the embedded Postgres from packages that root installed with --ignore-scripts, and still owns its data after root has started it', async () => {
    const dataDir = path.join(home, '.rowgate');
    const holder = await holdCluster(dataDir, { ...checkout, cwd: home, env: {}, ...unprivileged });
    expect(await selectOne(holder.ownerUrl)).toEqual([{ one: 1 }]);
    expect(await holder.end()).toBe(0);
    const asRoot = await startCluster(dataDir);
    expect(await selectOne(asRoot.ownerUrl)).toEqual([{ one: 1 }]);
    expect((await stat(path.join(asRoot.folder, 'data'))).uid).toBe(unprivileged.uid);
    await asRoot.stop();
  });

  test('the embedded Postgres refuses a data folder of another user', async () => {
    await expect(
      holdCluster(await makeClusterFolder(), { ...checkout, cwd: '/', ...unprivileged }),
    ).rejects.toThrow(/cannot use .*: EACCES/);
  });
});
