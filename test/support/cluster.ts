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
  }
}

/**
 * One Postgres for the whole run, removed at its end, also after failures;
 * KEEP_TEST_CLUSTER=1 leaves it running and prints where it is.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'rowgate-test-'));
  // As root the cluster runs as another user, who must be able to pass through.
  await chmod(dataDir, 0o711);
  const logger = pino({ level: 'warn' });
  const cluster = await startEmbedded({ dataDir, logger, durable: false });
  project.provide('superuserUrl', cluster.superuserUrl);
  project.provide('ownerUrl', cluster.ownerUrl);
  return async () => {
    if (process.env.KEEP_TEST_CLUSTER === '1') {
      process.stderr.write(`kept ${cluster.superuserUrl} in ${dataDir}\n`);
      return;
    }
    await cluster.stop();
    await rm(cluster.folder, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  };
}
