import { chown, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemFolder } from '../../../../server/db/embedded/home.ts';
import { copyCheckout } from '../../../support/checkout.ts';
import { holdCluster, makeDataFolder, removeFolders } from '../../../support/data-folder.ts';
import { endPrograms } from '../../../support/program.ts';
import { query } from '../../../support/query.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };

afterEach(async () => {
  await endPrograms();
  await removeFolders();
});

const selectOne = (url: string) => query(url, 'select 1 as one');

describe('a cluster is made', () => {
  test('without LANG, HOME or PATH', async () => {
    const { ownerUrl } = await holdCluster(await makeDataFolder(), { env: {} });
    expect(await selectOne(ownerUrl)).toEqual([{ one: 1 }]);
  });

  test('under a locale that this machine does not have', async () => {
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

  test('not from a folder whose name initdb would let the shell interpret', async () => {
    const home = path.join(await makeDataFolder(), '$(reboot)');
    await mkdir(home);
    const { node, script } = await copyCheckout(home);
    await expect(holdCluster(path.join(home, '.rowgate'), { node, script })).rejects.toThrow(
      /initdb cannot start Postgres from .*reboot/,
    );
  });

  test('under a umask that hides everything from others', async () => {
    const folder = path.join(await makeDataFolder(), '.rowgate');
    const { ownerUrl } = await holdCluster('077', {
      node: '/bin/sh',
      script: path.join(import.meta.dirname, '../../../support/with-umask.sh'),
      env: { NODE: process.execPath, DATA_DIR: folder },
    });
    expect(await selectOne(ownerUrl)).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot)('as root', () => {
  test('Postgres runs as a user without privileges', async () => {
    const holder = await holdCluster(await makeDataFolder());
    const { uid } = await stat(path.join(holder.folder, 'data'));
    expect(uid).not.toBe(0);
  });

  test('a checkout in a home that others cannot enter keeps its cluster in the system folder', async () => {
    const home = await makeDataFolder(0o700);
    const { node, script } = await copyCheckout(home);
    const holder = await holdCluster(path.join(home, '.rowgate'), { node, script, cwd: home });
    expect(await selectOne(holder.ownerUrl)).toEqual([{ one: 1 }]);
    expect(path.dirname(holder.folder)).toBe(systemFolder);
  });

  test('a second start from such a home finds the data of the first', async () => {
    const home = await makeDataFolder(0o700);
    const dataDir = path.join(home, '.rowgate');
    const first = await holdCluster(dataDir);
    await query(first.ownerUrl, 'create table kept (id int)');
    await first.end();
    const second = await holdCluster(dataDir);
    expect(await query(second.ownerUrl, 'select count(*)::int as rows from kept')).toEqual([
      { rows: 0 },
    ]);
  });

  test('the cluster of an ordinary user keeps its owner', async () => {
    const home = await makeDataFolder();
    const dataDir = path.join(home, '.rowgate');
    await mkdir(path.join(dataDir, 'postgres'), { recursive: true });
    await chown(dataDir, nobody.uid, nobody.gid);
    await chown(path.join(dataDir, 'postgres'), nobody.uid, nobody.gid);
    const { node, script } = await copyCheckout(home);
    await (await holdCluster(dataDir, { node, script, cwd: '/', ...nobody })).end();
    const asRoot = await holdCluster(dataDir);
    expect(await selectOne(asRoot.ownerUrl)).toEqual([{ one: 1 }]);
    expect((await stat(path.join(asRoot.folder, 'data'))).uid).toBe(nobody.uid);
  });
});

describe.runIf(isRoot)('as an ordinary user', () => {
  test('whose packages belong to root and were installed without scripts, a cluster is made', async () => {
    const home = await makeDataFolder();
    const { node, script } = await copyCheckout(home);
    const dataDir = path.join(home, '.rowgate');
    await mkdir(dataDir);
    await chown(dataDir, nobody.uid, nobody.gid);
    const holder = await holdCluster(dataDir, { node, script, cwd: home, env: {}, ...nobody });
    expect(await selectOne(holder.ownerUrl)).toEqual([{ one: 1 }]);
    expect(await holder.end()).toBe(0);
  });

  test("somebody else's data folder is refused", async () => {
    const home = await makeDataFolder();
    const { node, script } = await copyCheckout(home);
    const dataDir = path.join(home, '.rowgate');
    await (await holdCluster(dataDir, { node, script })).end();
    await expect(holdCluster(dataDir, { node, script, ...nobody })).rejects.toThrow(
      /cannot use .*: EACCES/,
    );
  });
});
