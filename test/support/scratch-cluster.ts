import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { startEmbedded } from '../../server/db/embedded/start-embedded.ts';

/** A temporary Postgres. */
export interface ScratchCluster {
  /** URL of the superuser, to the database `postgres`. */
  readonly superuserUrl: string;
  /** URL of rowgate_owner, which has CREATEROLE and is not a superuser. */
  readonly ownerUrl: string;
  /** Folder of the cluster. */
  readonly dataDir: string;
  /** Folder for files that other users may enter. */
  readonly scratch: string;
  /** Stops the cluster and removes all of its files. */
  remove(): Promise<void>;
}

/** More than enough space for two clusters and copies of the checkout. */
const roomBytes = 4 * 2 ** 30;

/**
 * Returns a folder in memory when there is enough space, because clusters and copies of databases otherwise wait for
 * the disk.
 */
async function roomyFolder(): Promise<string> {
  const memory = '/dev/shm';
  const room = await statfs(memory).catch(() => undefined);
  return room && room.bavail * room.bsize >= roomBytes ? memory : tmpdir();
}

/**
 * Sessions of tests are short: they read catalogs for the first time, and plan large statements. A fifth of that work
 * would be page faults, because glibc takes memory in small pages and returns it after each statement. Other C libraries
 * ignore these settings.
 */
const fewPageFaults = [
  'glibc.malloc.hugetlb=1',
  `glibc.malloc.trim_threshold=${64 * 2 ** 20}`,
  `glibc.malloc.mmap_threshold=${32 * 2 ** 20}`,
  `glibc.malloc.top_pad=${4 * 2 ** 20}`,
].join(':');

/** Starts a new cluster from an installed package; default: the usual package of this platform. */
export async function startScratchCluster(packageName?: string): Promise<ScratchCluster> {
  const scratch = await mkdtemp(path.join(await roomyFolder(), 'rowgate-test-'));
  // When root starts the cluster, it runs as another user, who must be able to enter the folder.
  await chmod(scratch, 0o711);
  const dataDir = path.join(scratch, 'cluster');
  const cluster = await startEmbedded({
    dataDir,
    logger: pino({ level: 'warn' }),
    durable: false,
    environment: { GLIBC_TUNABLES: fewPageFaults },
    ...(packageName !== undefined && { packageName }),
  });
  return {
    superuserUrl: cluster.superuserUrl,
    ownerUrl: cluster.ownerUrl,
    dataDir,
    scratch,
    remove: async () => {
      await cluster.stop();
      await rm(cluster.folder, { recursive: true, force: true });
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
