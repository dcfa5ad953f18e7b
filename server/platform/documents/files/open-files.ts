import path from 'node:path';
import type pg from 'pg';
import type pino from 'pino';
import type { Config } from '../../../config/config.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import type { Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { Admin, SignedInUser } from '../../accounts/user.ts';
import { makeFileEndpoints } from './file-endpoints.ts';
import { watchOrphans } from './orphans.ts';

export interface FilesOptions {
  readonly config: Pick<Config, 'baseUrl' | 'dataDir' | 'storage'>;
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly signedIn: Access<SignedInUser>;
  readonly admin: Access<Admin>;
  readonly logger: pino.Logger;
}

/** Opens the storage of uploads and its clean-up. @throws ProcessError RG_CONFIG when the storage cannot be used */
export async function openFiles({
  config,
  ...services
}: FilesOptions): Promise<{ readonly endpoints: readonly Endpoint[]; close(): Promise<void> }> {
  const { baseUrl, dataDir } = config;
  const storage = await openStorage(config.storage);
  const spoolFolder = path.join(dataDir, 'uploads');
  const orphans = watchOrphans({ ...services, storage, spoolFolder });
  return {
    endpoints: makeFileEndpoints({ ...services, storage, spoolFolder, baseUrl }),
    close: orphans.close,
  };
}
