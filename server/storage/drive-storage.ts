import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import type { DriverContract } from 'flydrive/types';
import { type ByteRange, type FileStorage, type StoredObject, storedName } from './storage.ts';

/** A kind of storage: a flydrive driver, and the operations that differ between drivers. */
export interface Drive {
  readonly driver: DriverContract;
  /** Text before the name of each stored file. It is empty or ends with a slash. */
  readonly prefix: string;
  /** Resolves when a written file survives a power loss; absent when the storage guarantees that itself. */
  settle?(key: string): Promise<void>;
  /** Opens a file or a part of it. Resolves once it is known whether the file exists. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>;
}

/**
 * The object that records which installation owns the storage. The name is too short for the name of a stored file, so
 * the two cannot collide.
 */
const ownerMark = 'belongs-to.txt';

/** Makes a storage from a drive. */
export function makeDriveStorage({ driver, prefix, open, settle }: Drive): FileStorage {
  const disk = new Disk(driver);
  const keyOf = (name: string) => {
    // A second check, in addition to the check of names from clients in the calling code.
    if (!storedName.test(name)) throw new Error(`"${name}" is not a valid name of a stored file`);
    return `${prefix}${name}`;
  };
  return {
    store: async (name, localFile) => {
      const key = keyOf(name);
      const { size } = await stat(localFile);
      await disk.copyFromFs(localFile, key, { contentLength: size });
      await settle?.(key);
    },
    read: async (name, range) => open(keyOf(name), range),
    remove: async (name) => disk.delete(keyOf(name)),
    list: () => list(disk, prefix),
    claim: async (owner) => {
      const key = `${prefix}${ownerMark}`;
      if (await disk.exists(key)) return (await disk.get(key)).trim();
      await disk.put(key, `${owner}\n`);
      return owner;
    },
  };
}

async function* list(disk: Disk, prefix: string): AsyncIterable<StoredObject> {
  let paginationToken: string | undefined;
  do {
    const page = await disk.listAll(prefix === '' ? '/' : prefix, {
      ...(paginationToken !== undefined && { paginationToken }),
    });
    for (const object of page.objects) {
      if (!('key' in object) || !storedName.test(object.name)) continue;
      const storedAt = await storedAtOf(disk, object.key);
      if (storedAt) yield { name: object.name, storedAt };
    }
    paginationToken = page.paginationToken;
  } while (paginationToken !== undefined);
}

/** Returns when a file was stored; undefined for a file that was removed after it was listed. */
async function storedAtOf(disk: Disk, key: string): Promise<Date | undefined> {
  try {
    return (await disk.getMetaData(key)).lastModified;
  } catch (error) {
    if (await disk.exists(key)) throw error;
    return undefined;
  }
}
