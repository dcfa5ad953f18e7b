import type { StorageConfig } from '../config/storage-config.ts';
import { openDiskDrive } from './disk-drive.ts';
import { makeDriveStorage } from './drive-storage.ts';
import type { FileStorage } from './storage.ts';

/** Opens the configured storage. @throws ProcessError RG_CONFIG when it cannot be used */
export async function openStorage(config: StorageConfig): Promise<FileStorage> {
  if (config.kind === 'disk') return makeDriveStorage(await openDiskDrive(config.folder));
  const { openS3Drive } = await import('./s3-drive.ts');
  return makeDriveStorage(await openS3Drive(config));
}
