import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { FSDriver } from 'flydrive/drivers/fs';
import { errorCode, ProcessError } from '../errors.ts';
import type { Drive } from './drive-storage.ts';

/** Opens a local or shared folder as a drive. @throws ProcessError RG_CONFIG when the folder cannot be used */
export async function openDiskDrive(folder: string): Promise<Drive> {
  try {
    // Only a new folder gets this mode. An existing folder, such as `/srv`, keeps its mode, because other programs may
    // use the folder.
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ProcessError('RG_CONFIG', `cannot keep files in ${folder}: ${errorCode(error)}`, {
      exitCode: 2,
      hint: 'make the user that runs the server its owner, or set ROWGATE_STORAGE_URL to another folder',
      cause: error,
    });
  }
  return {
    driver: new FSDriver({ location: folder, visibility: 'private' }),
    prefix: '',
    settle: async (key) => {
      const file = await open(path.join(folder, key), 'r+');
      try {
        await file.chmod(0o600);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    open: async (key, range) => {
      const stream = createReadStream(path.join(folder, key), range);
      try {
        await once(stream, 'open');
        return stream;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
  };
}
