import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedCluster } from '../../../../server/db/embedded/start-embedded.ts';
import { withLogin } from '../../../../server/db/url.ts';
import {
  makeClusterFolder,
  makeDataFolder,
  removeFolders,
  startCluster,
} from '../../../support/data-folder.ts';
import { query } from '../../../support/query.ts';

const isRoot = process.getuid?.() === 0;
const portOf = (url: string) => Number(new URL(url).port);

describe('the embedded Postgres in a new data folder', () => {
  let folder: string;
  let holder: EmbeddedCluster;

  beforeAll(async () => {
    folder = await makeDataFolder();
    holder = await startCluster(folder);
  });

  afterAll(removeFolders);

  test('stores UTF-8 and sorts by code point', async () => {
    expect(
      await query(
        holder.ownerUrl,
        `select pg_encoding_to_char(encoding) as encoding, datcollate, datctype
         from pg_database where datname = current_database()`,
      ),
    ).toEqual([{ encoding: 'UTF8', datcollate: 'C.UTF-8', datctype: 'C.UTF-8' }]);
  });

  test('has an owner that may create roles and is not a superuser', async () => {
    expect(
      await query(
        holder.ownerUrl,
        `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls,
                pg_get_userbyid(datdba) as owner
         from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
      ),
    ).toEqual([
      {
        rolname: 'rowgate_owner',
        rolsuper: false,
        rolcreaterole: true,
        rolcreatedb: false,
        rolbypassrls: false,
        owner: 'rowgate_owner',
      },
    ]);
  });

  test('accepts connections only on the loopback address', async () => {
    expect(await query(holder.superuserUrl, 'show listen_addresses')).toEqual([
      { listen_addresses: '127.0.0.1' },
    ]);
  });

  test('refuses a login with a wrong or missing password', async () => {
    const url = withLogin(holder.superuserUrl, 'postgres', 'wrong');
    await expect(query(url, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  test('stores its passwords in files that only its user can read', async () => {
    const modes = await Promise.all(
      ['postgres-owner-password', 'postgres-superuser-password'].map(async (file) =>
        ((await stat(path.join(folder, file))).mode & 0o777).toString(8),
      ),
    );
    expect(modes).toEqual(['600', '600']);
  });

  test.runIf(isRoot)('runs as an unprivileged user when root starts it', async () => {
    expect((await stat(path.join(holder.folder, 'data'))).uid).not.toBe(0);
  });

  test('leaves no password file of initdb behind', async () => {
    expect(await readdir(holder.folder)).not.toContain('initdb-password');
  });
});

describe('a second start of the embedded Postgres', () => {
  afterEach(removeFolders);

  test('finds the data of the first start on the same port', async () => {
    const folder = await makeClusterFolder();
    const first = await startCluster(folder);
    await query(
      first.ownerUrl,
      'create table preserved (id int)',
      'insert into preserved values (7)',
    );
    await first.stop();
    const second = await startCluster(folder);
    expect(await query(second.ownerUrl, 'select id from preserved')).toEqual([{ id: 7 }]);
    expect(second.ownerUrl).toBe(first.ownerUrl);
    await second.stop();
  });

  test('takes another port when the previous one is in use', async () => {
    const folder = await makeClusterFolder();
    const stranger = createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    await writeFile(path.join(folder, 'postgres.json'), JSON.stringify({ port }));
    const second = await startCluster(folder);
    expect(await query(second.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(portOf(second.ownerUrl)).not.toBe(port);
    stranger.close();
    await second.stop();
  });

  test('restores the password of the owner when the database has another one', async () => {
    const folder = await makeClusterFolder();
    const first = await startCluster(folder);
    await query(first.superuserUrl, "alter role rowgate_owner password 'other'");
    await first.stop();
    const second = await startCluster(folder);
    expect(await query(second.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
  });
});

describe('the embedded Postgres does not start in a data folder', () => {
  afterEach(removeFolders);

  test('of another major version, and leaves it unchanged', async () => {
    const folder = await makeClusterFolder();
    const version = path.join(folder, 'postgres/data/PG_VERSION');
    await writeFile(version, '15\n');
    await expect(startCluster(folder)).rejects.toThrow(
      /was made by Postgres 15, and this rowgate brings Postgres 18/,
    );
    await writeFile(version, '18\n');
    const second = await startCluster(folder);
    expect(await query(second.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
  });

  test('whose cluster folder contains something else, and leaves it unchanged', async () => {
    const folder = await makeDataFolder();
    const data = path.join(folder, 'postgres', 'data');
    await mkdir(data, { recursive: true });
    await writeFile(path.join(data, 'thesis.txt'), 'years of work');
    await expect(startCluster(folder)).rejects.toThrow(/holds something that is not a Postgres/);
    expect(await readFile(path.join(data, 'thesis.txt'), 'utf8')).toBe('years of work');
  });

  test('that is a file', async () => {
    const file = path.join(await makeDataFolder(), 'file');
    await writeFile(file, '');
    await expect(startCluster(file)).rejects.toThrow(/cannot use .*file: EEXIST/);
  });

  test('that has lost the superuser password, and names the missing file', async () => {
    const folder = await makeClusterFolder();
    await writeFile(path.join(folder, 'postgres-superuser-password'), 'another\n');
    await expect(startCluster(folder)).rejects.toMatchObject({
      message: expect.stringContaining('refuses its own supervisor'),
      hint: expect.stringContaining('postgres-superuser-password'),
    });
  });
});
