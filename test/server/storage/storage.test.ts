import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openStorage } from '../../../server/storage/open-storage.ts';
import type { FileStorage } from '../../../server/storage/storage.ts';

const name = `${'a'.repeat(48)}.txt`;
let folder: string;
let files: string;
let local: string;
let storage: FileStorage;

beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('scratch'), 'storage-'));
  files = path.join(folder, 'deep', 'files');
  local = path.join(folder, 'local');
  await writeFile(local, 'content');
  storage = await openStorage({ kind: 'disk', folder: files });
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (...asked: Parameters<FileStorage['read']>) => {
  const content = await storage.read(...asked);
  return content && text(content);
};

describe('a folder as file storage', () => {
  test('is created so that only its user can access it', async () => {
    expect((await stat(files)).mode & 0o777).toBe(0o700);
  });

  test('that exists keeps its mode, and the files in it can be read only by their user', async () => {
    const shared = await mkdtemp(path.join(folder, 'shared-'));
    await chmod(shared, 0o755);
    const inShared = await openStorage({ kind: 'disk', folder: shared });
    await inShared.store(name, local);
    const modes = [shared, path.join(shared, name)].map(async (one) => (await stat(one)).mode);
    expect((await Promise.all(modes)).map((mode) => mode & 0o777)).toEqual([0o755, 0o600]);
  });

  test('returns stored files, whole or in parts', async () => {
    await storage.store(name, local);
    expect(await read(name)).toBe('content');
    expect(await read(name, { start: 1, end: 3 })).toBe('ont');
  });

  test('reports that a file is missing before any of it is read', async () => {
    expect(await storage.read('b'.repeat(48))).toBeUndefined();
  });

  test('deletes a file, and accepts that a file does not exist', async () => {
    await storage.store('c'.repeat(48), local);
    await storage.remove('c'.repeat(48));
    await storage.remove('c'.repeat(48));
    expect(await storage.read('c'.repeat(48))).toBeUndefined();
  });

  test('lists the stored files with their times, and no other files', async () => {
    await writeFile(path.join(files, 'other.txt'), '');
    await storage.store(name, local);
    const objects = [];
    for await (const object of storage.list()) objects.push(object);
    expect(objects).toEqual([{ name, storedAt: (await stat(path.join(files, name))).mtime }]);
  });

  test('lists all files although some are deleted meanwhile', async () => {
    await storage.store(name, local);
    const removed = ['d', 'e', 'f'].map((letter) => letter.repeat(48));
    for (const one of removed) await storage.store(one, local);
    const listed = [];
    for await (const object of storage.list()) {
      listed.push(object.name);
      await Promise.all(removed.map((one) => storage.remove(one)));
    }
    expect(listed).toContain(name);
  });

  test('belongs to the first database that uses it, and is refused to another', async () => {
    expect([await storage.claim('first'), await storage.claim('second')]).toEqual([
      'first',
      'first',
    ]);
  });

  test.each(['../local', `${'a'.repeat(40)}/../../x`, 'belongs-to.txt', `${'a'.repeat(48)}\0`, ''])(
    'refuses the file name %j',
    async (wrong) => {
      await expect(storage.read(wrong)).rejects.toThrow('is not a valid name of a stored file');
      await expect(storage.store(wrong, local)).rejects.toThrow(
        'is not a valid name of a stored file',
      );
      await expect(storage.remove(wrong)).rejects.toThrow('is not a valid name of a stored file');
    },
  );

  test('that cannot be used is reported with a hint', async () => {
    await expect(
      openStorage({ kind: 'disk', folder: path.join(local, 'x') }),
    ).rejects.toMatchObject({
      code: 'RG_CONFIG',
      exitCode: 2,
      hint: expect.stringContaining('ROWGATE_STORAGE_URL'),
    });
  });
});

test('a storage bucket whose optional packages are not installed is reported with the packages to install', async () => {
  const bucket = { kind: 's3', bucket: 'files', prefix: '', region: 'eu-central-1' } as const;
  const opening = openStorage({ ...bucket, endpoint: undefined, credentials: undefined });
  await expect(opening).rejects.toMatchObject({
    code: 'RG_CONFIG',
    hint: 'run `npm install @aws-sdk/client-s3 @aws-sdk/s3-request-presigner`',
  });
});
