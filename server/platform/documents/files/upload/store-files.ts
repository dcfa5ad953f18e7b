import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type pino from 'pino';
import { isRolledBack } from '../../../../db/requests/outcome-unknown-error.ts';
import { Refusal } from '../../../../http/answers/problem.ts';
import type { FileStorage } from '../../../../storage/storage.ts';
import {
  type NewFile,
  namesWithoutFile,
  recordFiles,
  type StoreOutcome,
  type UploadRequest,
} from '../file-table.ts';
import { contentTypeOf } from './content-type.ts';
import { safeOriginalName } from './original-name.ts';
import type { SpooledFile } from './spool-writer.ts';

export interface StoreServices {
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly storage: FileStorage;
  readonly logger: pino.Logger;
}

/** A stored and recorded file. */
export interface StoredFile extends NewFile {
  readonly id: string;
}

/**
 * Stores and records all files or none. When the connection is lost while the files are recorded, they stay in the
 * storage, and the clean-up of orphans removes the files without a record.
 * @throws Refusal 404, and errors of the storage and the database
 */
export async function storeFiles(
  spooled: readonly SpooledFile[],
  request: UploadRequest,
  services: StoreServices,
): Promise<readonly StoredFile[]> {
  const { storage } = services;
  const files: NewFile[] = [];
  try {
    for (const file of spooled) {
      const named = await describe(file);
      files.push(named);
      await storage.store(named.name, file.localFile);
    }
    const outcome = await recordAll(request, files, services);
    if ('missing' in outcome) throw missing(outcome.missing);
    return files.map((file, place) => ({ ...file, id: outcome.ids[place] ?? '' }));
  } catch (error) {
    if (!(error instanceof UnknownOutcome)) await removeAll(files, services);
    throw error;
  }
}

/**
 * Thrown when the connection was lost while files were recorded, so that it is unknown whether the records exist. The
 * stored files must then stay.
 */
class UnknownOutcome extends Error {}

async function recordAll(
  request: UploadRequest,
  files: readonly NewFile[],
  { pool }: StoreServices,
): Promise<StoreOutcome> {
  const client = await pool.connect();
  try {
    const outcome = await recordFiles(client, request, files);
    client.release();
    return outcome;
  } catch (error) {
    client.release(true);
    if (isRolledBack({ commit: error }) || (await endedWithoutRecord(error, files, pool)))
      throw error;
    throw new UnknownOutcome('it is unknown whether files were recorded', { cause: error });
  }
}

/**
 * Returns whether Postgres ended the session without recording the files. The error that ends a session may replace the
 * answer to a successful commit. So the records decide, because removing recorded files would leave rows without files.
 */
async function endedWithoutRecord(
  error: unknown,
  files: readonly NewFile[],
  pool: pg.Pool,
): Promise<boolean> {
  if (!(error instanceof pg.DatabaseError)) return false;
  const names = files.map(({ name }) => name);
  const missing = await namesWithoutFile(pool, names).catch(() => []);
  return missing.length === names.length;
}

async function describe(file: SpooledFile): Promise<NewFile> {
  const { contentType, extension } = await contentTypeOf(file.localFile, file.declaredType);
  const random = randomBytes(24).toString('hex');
  return {
    name: extension === undefined ? random : `${random}.${extension}`,
    originalName: safeOriginalName(file.originalName),
    contentType,
    size: file.size,
    sha256: file.sha256,
  };
}

async function removeAll(
  files: readonly NewFile[],
  { storage, logger }: StoreServices,
): Promise<void> {
  for (const { name } of files) {
    await storage.remove(name).catch((error: unknown) => {
      logger.warn(
        { err: error, name },
        'a file of a failed upload stays in the storage until the clean-up of orphans',
      );
    });
  }
}

const nouns = { owner: 'user', case: 'case', kyc_profile: 'KYC profile' };
const fields = { owner: 'ownerUserId', case: 'caseId', kyc_profile: 'kycProfileId' };

function missing(what: keyof typeof nouns): Refusal {
  const where = what === 'owner' ? '' : ' in the organization of the owner';
  const detail = `there is no ${nouns[what]} with this ${fields[what]}${where}`;
  return new Refusal({ status: 404, code: 'not-found', detail });
}
