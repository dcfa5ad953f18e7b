import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../server/db/embedded/start-embedded.ts';
import { query } from './query.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** To the database `postgres` of the run's cluster. */
    readonly superuserUrl: string;
    /** As rowgate_owner, to a database that tests do not use. */
    readonly ownerUrl: string;
    /** The installed package that brings the run's Postgres; default this platform's usual one. */
    readonly postgresPackage?: string;
    /** Of the run's cluster, as Postgres counts: 140023, 180004. */
    readonly serverVersion: number;
    /** For files of tests; removed with everything in it when the run ends. */
    readonly scratch: string;
  }
}

/** What two clusters need at most, several times over. */
const roomBytes = 4 * 2 ** 30;

/** Where nothing waits for a disk, which the copying of databases otherwise does; undefined where there is none. */
async function folderInMemory(): Promise<string | undefined> {
  const memory = '/dev/shm';
  const room = await statfs(memory).catch(() => undefined);
  if (!room || room.bavail * room.bsize < roomBytes) return undefined;
  const folder = await mkdtemp(path.join(memory, 'rowgate-test-'));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * One Postgres for all files of a project, removed at the run's end, also after failures;
 * KEEP_TEST_CLUSTER=1 leaves it running and prints where it is.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'rowgate-test-'));
  // As root the cluster runs as another user, who must be able to pass through.
  await chmod(scratch, 0o711);
  const logger = pino({ level: 'warn' });
  const memory = await folderInMemory();
  const dataDir = path.join(memory ?? scratch, 'cluster');
  const { postgresPackage: packageName } = project.config.provide;
  const cluster = await startEmbedded({
    dataDir,
    logger,
    durable: false,
    ...(packageName !== undefined && { packageName }),
  });
  project.provide('serverVersion', await serverVersion(cluster.superuserUrl));
  project.provide('superuserUrl', cluster.superuserUrl);
  project.provide('ownerUrl', cluster.ownerUrl);
  project.provide('scratch', scratch);
  return async () => {
    if (process.env.KEEP_TEST_CLUSTER === '1') {
      process.stderr.write(`kept ${cluster.superuserUrl} in ${dataDir}\n`);
      return;
    }
    await cluster.stop();
    await rm(cluster.folder, { recursive: true, force: true });
    await rm(scratch, { recursive: true, force: true });
    if (memory !== undefined) await rm(memory, { recursive: true, force: true });
  };
}

async function serverVersion(url: string): Promise<number> {
  const [row] = (await query(url, 'show server_version_num')) as { server_version_num: string }[];
  return Number(row?.server_version_num);
}
