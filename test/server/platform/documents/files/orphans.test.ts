import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { makeLogger } from '../../../../../server/log/log.ts';
import {
  type OrphanServices,
  removeOrphans,
} from '../../../../../server/platform/documents/files/orphans.ts';
import { openSpool } from '../../../../../server/platform/documents/files/upload/spool.ts';
import { openStorage } from '../../../../../server/storage/open-storage.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { LogCapture } from '../../../../support/log-capture.ts';
import { openPool } from '../../../../support/open-pool.ts';

const hourMs = 3_600_000;
/**
 * Returns a time more than an hour ahead. Seen from then, the files of this test are old enough to
 * be removed.
 */
const later = () => new Date(Date.now() + hourMs + 1000);

let database: TestDatabase;
let pool: pg.Pool;
let folder: string;
let log: LogCapture;
let services: OrphanServices;

beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  pool = openPool({ connectionString: database.superuserUrl });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(inject('scratch'), 'orphans-'));
  log = new LogCapture();
  services = {
    pool,
    storage: await openStorage({ kind: 'disk', folder: path.join(folder, 'files') }),
    spoolFolder: path.join(folder, 'uploads'),
    logger: makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log),
  };
});
afterEach(() => rm(folder, { recursive: true }));

async function store(name: string): Promise<string> {
  const file = path.join(folder, 'content');
  await writeFile(file, 'content');
  await services.storage.store(name, file);
  return name;
}

/**
 * Returns the id of a file of the demo data that has a row. The cleaning must not remove a file
 * with that name.
 */
async function recordedName(): Promise<string> {
  const { rows } = await pool.query('select name from public.uploaded_file order by id limit 1');
  return rows[0].name;
}

async function stored(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of services.storage.list()) names.push(name);
  return names.sort();
}

test('the cleaning of the storage removes files without a row an hour after they were stored', async () => {
  const known = await store(await recordedName());
  const unknown = await store('f'.repeat(48));
  expect(await removeOrphans(services)).toBe(0);
  expect(await stored()).toEqual([known, unknown].sort());
  expect(await removeOrphans(services, later())).toBe(1);
  expect(await stored()).toEqual([known]);
});

test('the cleaning of the storage removes files whose row was deleted', async () => {
  const name = await store('e'.repeat(48));
  await pool.query(
    `insert into public.uploaded_file (organization_id, user_id, name, original_name, size, sha256)
     select organization_id, id, $1, 'x', 7, pg_catalog.repeat('0', 64) from public."user" limit 1`,
    [name],
  );
  expect(await removeOrphans(services, later())).toBe(0);
  await pool.query('delete from public.uploaded_file where name = $1', [name]);
  expect(await removeOrphans(services, later())).toBe(1);
});

test('the cleaning of the storage handles more files than fit in one batch', async () => {
  const names = Array.from({ length: 1001 }, (_, n) => String(n).padStart(48, '0'));
  for (const name of names) await writeFile(path.join(folder, 'files', name), '');
  await store(await recordedName());
  expect(await removeOrphans(services, later())).toBe(1001);
});

test('the cleaning of the storage can run twice at the same time', async () => {
  for (const digit of '0123456789') await store(digit.repeat(48));
  await Promise.all([removeOrphans(services, later()), removeOrphans(services, later())]);
  expect(await stored()).toEqual([]);
});

test('the cleaning of the storage keeps files whose names the server would not create', async () => {
  const foreign = path.join(folder, 'files', 'notes.txt');
  await writeFile(foreign, '');
  expect(await removeOrphans(services, later())).toBe(0);
  await rm(foreign);
});

test('the cleaning of the storage keeps the files of another database, and logs this', async () => {
  const mark = path.join(folder, 'files', 'belongs-to.txt');
  await writeFile(mark, 'another\n');
  const name = await store('d'.repeat(48));
  expect(await removeOrphans(services, later())).toBe(0);
  expect(await stored()).toEqual([name]);
  expect(await log.lineWith('belongs to another database')).toMatchObject({ claimant: 'another' });
});

test('the cleaning of the storage removes the remains of an aborted upload, but not an upload that is still running', async () => {
  const spool = await openSpool(services.spoolFolder);
  await writeFile(spool.next(), 'half');
  await removeOrphans(services);
  await writeFile(spool.next(), 'more');
  await removeOrphans(services, later());
  await expect(writeFile(spool.next(), 'gone')).rejects.toThrow('ENOENT');
});
