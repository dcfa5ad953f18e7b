import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { startEmbedded } from '../../server/db/embedded/start-embedded.ts';

/** A Postgres to throw away. */
export interface ScratchCluster {
  /** To the database `postgres`. */
  readonly superuserUrl: string;
  /** As rowgate_owner: CREATEROLE, no superuser. */
  readonly ownerUrl: string;
  /** Where the cluster lies. */
  readonly dataDir: string;
  /** For files; others may pass through it. */
  readonly scratch: string;
  /** Stops it and removes all of its files. */
  remove(): Promise<void>;
}

/** What two clusters and the copies of a checkout need at most, several times over. */
const roomBytes = 4 * 2 ** 30;

/** Where nothing waits for a disk, as clusters and copies of databases otherwise do. */
async function roomyFolder(): Promise<string> {
  const memory = '/dev/shm';
  const room = await statfs(memory).catch(() => undefined);
  return room && room.bavail * room.bsize >= roomBytes ? memory : tmpdir();
}

/** Starts a cluster of its own from an installed package; default this platform's usual one. */
export async function startScratchCluster(packageName?: string): Promise<ScratchCluster> {
  const scratch = await mkdtemp(path.join(await roomyFolder(), 'rowgate-test-'));
  // As root the cluster runs as another user, who must be able to pass through.
  await chmod(scratch, 0o711);
  const dataDir = path.join(scratch, 'cluster');
  const cluster = await startEmbedded({
    dataDir,
    logger: pino({ level: 'warn' }),
    durable: false,
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
