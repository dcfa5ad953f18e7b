import type { TestProject } from 'vitest/node';
import { query } from './query.ts';
import { type ScratchCluster, startScratchCluster } from './scratch-cluster.ts';

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

/**
 * One Postgres for all files of a project, removed at the run's end, also after failures;
 * KEEP_TEST_CLUSTER=1 leaves it running and prints where it is.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startScratchCluster(project.config.provide.postgresPackage);
  // Operations that wait for each other are told apart after this time, by default a whole second.
  await query(cluster.superuserUrl, `alter system set deadlock_timeout = '10ms'`);
  // It would look into each of hundreds of databases, and none lives long enough to need it.
  await query(cluster.superuserUrl, 'alter system set autovacuum = off');
  // The cores are busy with other files, and the tables are small.
  await query(cluster.superuserUrl, 'alter system set max_parallel_workers_per_gather = 0');
  await query(cluster.superuserUrl, 'select pg_catalog.pg_reload_conf()');
  const version = await serverVersion(cluster.superuserUrl);
  if (version >= 160_000) await hashPasswordsFast(cluster);
  project.provide('serverVersion', version);
  project.provide('superuserUrl', cluster.superuserUrl);
  project.provide('ownerUrl', cluster.ownerUrl);
  project.provide('scratch', cluster.scratch);
  return async () => {
    if (process.env.KEEP_TEST_CLUSTER === '1') {
      process.stderr.write(`kept ${cluster.superuserUrl} in ${cluster.dataDir}\n`);
      return;
    }
    await cluster.remove();
  };
}

/** Thousands of logins come, and half of what each costs is the hash that makes guessing slow. */
async function hashPasswordsFast({ superuserUrl, ownerUrl }: ScratchCluster): Promise<void> {
  const roles = [superuserUrl, ownerUrl].map((url) => new URL(url));
  await query(
    superuserUrl,
    'set scram_iterations = 1',
    ...roles.map(({ username, password }) => `alter role ${username} password '${password}'`),
  );
}

async function serverVersion(url: string): Promise<number> {
  const [row] = (await query(url, 'show server_version_num')) as { server_version_num: string }[];
  return Number(row?.server_version_num);
}
