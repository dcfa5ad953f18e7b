import type pg from 'pg';
import type pino from 'pino';
import type { FileStorage } from '../../../storage/storage.ts';
import { installationOf, namesWithoutFile } from './file-table.ts';
import { removeOldSpools } from './upload/spool.ts';

/** Minimum age of a file without a record before it is removed. The record of a younger file may still be written. */
const graceMs = 3_600_000;
const intervalMs = 6 * 3_600_000;
const batchSize = 500;

export interface OrphanServices {
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly storage: FileStorage;
  /** The folder for incomplete uploads. */
  readonly spoolFolder: string;
  readonly logger: pino.Logger;
}

/**
 * Removes stored files without a record an hour after they were stored, and the remains of unfinished uploads. Several
 * processes may do so at the same time. Removes nothing from a storage that another database owns.
 * @returns the number of removed files
 */
export async function removeOrphans(
  services: OrphanServices,
  now: Date = new Date(),
): Promise<number> {
  const { pool, storage, spoolFolder, logger } = services;
  await removeOldSpools(spoolFolder, now);
  const installation = await installationOf(pool);
  const claimant = await storage.claim(installation);
  if (claimant !== installation) {
    logger.error(
      { installation, claimant },
      'the storage of files belongs to another database, so files without a record stay. If this database owns it, remove belongs-to.txt from it',
    );
    return 0;
  }
  let removed = 0;
  let batch: string[] = [];
  const flush = async () => {
    removed += await removeUnrecorded(batch, services);
    batch = [];
  };
  for await (const { name, storedAt } of storage.list()) {
    if (now.getTime() - storedAt.getTime() <= graceMs) continue;
    batch.push(name);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  if (removed > 0) logger.info({ removed }, 'removed files without a record');
  return removed;
}

async function removeUnrecorded(
  names: readonly string[],
  { pool, storage }: OrphanServices,
): Promise<number> {
  if (names.length === 0) return 0;
  const orphans = await namesWithoutFile(pool, names);
  for (const name of orphans) await storage.remove(name);
  return orphans.length;
}

/** Removes orphans immediately and then every six hours. */
export function watchOrphans(services: OrphanServices): { close(): Promise<void> } {
  const { logger } = services;
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = removeOrphans(services).catch((error: unknown) => {
      logger.warn({ err: error }, 'cannot look for files without a record; trying again later');
    });
  };
  run();
  const timer = setInterval(run, intervalMs).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
