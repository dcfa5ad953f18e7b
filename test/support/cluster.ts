import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../server/db/embedded/start-embedded.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** To the database `postgres` of the run's cluster. */
    readonly superuserUrl: string;
    /** As rowgate_owner, to a database that tests do not use. */
    readonly ownerUrl: string;
    /** For files of tests; removed with everything in it when the run ends. */
    readonly scratch: string;
  }
}

/**
 * One Postgres for the whole run, removed at its end, also after failures;
 * KEEP_TEST_CLUSTER=1 leaves it running and prints where it is.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'rowgate-test-'));
  // As root the cluster runs as another user, who must be able to pass through.
  await chmod(scratch, 0o711);
  const logger = pino({ level: 'warn' });
  const dataDir = path.join(scratch, 'cluster');
  const cluster = await startEmbedded({ dataDir, logger, durable: false });
  project.provide('superuserUrl', cluster.superuserUrl);
  project.provide('ownerUrl', cluster.ownerUrl);
  project.provide('scratch', scratch);
  return async () => {
    if (process.env.KEEP_TEST_CLUSTER === '1') {
      process.stderr.write(`kept ${cluster.superuserUrl} in ${scratch}\n`);
      return;
    }
    await cluster.stop();
    await rm(cluster.folder, { recursive: true, force: true });
    await rm(scratch, { recursive: true, force: true });
  };
}
