import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import type { DriverContract } from 'flydrive/types';
import { type ByteRange, type FileStorage, type StoredObject, storedName } from './storage.ts';

/** What a kind of storage does in its own way. */
export interface Drive {
  readonly driver: DriverContract;
  /** Before each name: empty, or with a slash at its end. */
  readonly prefix: string;
  /** Resolves when a file that was written survives the loss of power; absent where it does by itself. */
  settle?(key: string): Promise<void>;
  /** Resolves once it is known whether there is such a file. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>;
}

/** Holds the name of the database whose files these are; too short a name for a file. */
const mark = 'belongs-to.txt';

/** A storage on a driver of flydrive's. */
export function makeDriveStorage({ driver, prefix, open, settle }: Drive): FileStorage {
  const disk = new Disk(driver);
  const keyOf = (name: string) => {
    // The last gate: whoever asks has checked what came from outside.
    if (!storedName.test(name)) throw new Error(`"${name}" is no name of a stored file`);
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
    claim: async (who) => {
      const key = `${prefix}${mark}`;
      if (await disk.exists(key)) return (await disk.get(key)).trim();
      await disk.put(key, `${who}\n`);
      return who;
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

/** Undefined for a file that somebody removed since it was listed. */
async function storedAtOf(disk: Disk, key: string): Promise<Date | undefined> {
  try {
    return (await disk.getMetaData(key)).lastModified;
  } catch (error) {
    if (await disk.exists(key)) throw error;
    return undefined;
  }
}
