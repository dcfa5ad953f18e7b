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
    // Each session first reads catalogs and plans large statements. A quarter of its work would be page faults, because
    // glibc returns the memory after each statement. With huge pages there are a tenth of them.
    environment: { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' },
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
