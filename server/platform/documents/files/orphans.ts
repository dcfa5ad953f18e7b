import type pg from 'pg';
import type pino from 'pino';
import type { FileStorage } from '../../../storage/storage.ts';
import { installationOf, namesWithoutFile } from './file-table.ts';
import { removeOldSpools } from './spool.ts';

/** Younger ones may belong to an upload that is just being recorded. */
const graceMs = 3_600_000;
const intervalMs = 6 * 3_600_000;
const batchSize = 500;

export interface OrphanServices {
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  readonly storage: FileStorage;
  /** Where uploads lie until they are whole. */
  readonly spoolFolder: string;
  readonly logger: pino.Logger;
}

/**
 * Removes stored files that no row knows, an hour after they were stored, and what unfinished uploads left behind.
 * Any number of processes may do so at once. In a storage that another database uses, nothing is removed.
 * @returns how many files were removed
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
      'the storage of files belongs to another database; files without a row stay. If it is ours, remove belongs-to.txt from it',
    );
    return 0;
  }
  let removed = 0;
  let batch: string[] = [];
  const flush = async () => {
    removed += await removeUnknown(batch, services);
    batch = [];
  };
  for await (const { name, storedAt } of storage.list()) {
    if (now.getTime() - storedAt.getTime() <= graceMs) continue;
    batch.push(name);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  if (removed > 0) logger.info({ removed }, 'removed files that no row knows');
  return removed;
}

async function removeUnknown(
  names: readonly string[],
  { pool, storage }: OrphanServices,
): Promise<number> {
  if (names.length === 0) return 0;
  const orphans = await namesWithoutFile(pool, names);
  for (const name of orphans) await storage.remove(name);
  return orphans.length;
}

/** Removes orphans now and every six hours. */
export function watchOrphans(services: OrphanServices): { close(): Promise<void> } {
  const { logger } = services;
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = removeOrphans(services).catch((error: unknown) => {
      logger.warn({ err: error }, 'cannot look for files that no row knows; trying again later');
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
