import type { TestProject } from 'vitest/node';
import { query } from './query.ts';
import { type ScratchCluster, startScratchCluster } from './scratch-cluster.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the superuser, to the database `postgres` of the cluster. */
    readonly superuserUrl: string;
    /** URL of rowgate_owner, to a database that tests do not use. */
    readonly ownerUrl: string;
    /** The npm package of the Postgres for this run; default: the usual package of this platform. */
    readonly postgresPackage?: string;
    /** Version of the cluster as Postgres counts: 140023, 180004. */
    readonly serverVersion: number;
    /** Folder for files of tests. The end of the run removes it. */
    readonly scratch: string;
  }
}

/**
 * Starts one Postgres for all files of the projects that share it, and removes it at the end of the run, also after failures.
 * KEEP_TEST_CLUSTER=1 keeps it running and prints its address.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startScratchCluster(project.config.provide.postgresPackage);
  // Postgres detects a deadlock after this time; the default is a second.
  await query(cluster.superuserUrl, `alter system set deadlock_timeout = '10ms'`);
  // Autovacuum would scan hundreds of databases, and all of them are short-lived.
  await query(cluster.superuserUrl, 'alter system set autovacuum = off');
  // Other test files use the cores, and the tables are small.
  await query(cluster.superuserUrl, 'alter system set max_parallel_workers_per_gather = 0');
  // The demo data has the same dates on every day of a year.
  await query(
    cluster.superuserUrl,
    `alter role rowgate_owner set rowgate.demo_date = '2025-06-15'`,
  );
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

/** Tests make thousands of logins, and half of the time of each is the slow password hash. */
async function hashPasswordsFast({ superuserUrl, ownerUrl }: ScratchCluster): Promise<void> {
  const roles = [superuserUrl, ownerUrl].map((url) => new URL(url));
  await query(
    superuserUrl,
    'alter system set scram_iterations = 1',
    'select pg_catalog.pg_reload_conf()',
    // This session has not read the configuration again yet.
    'set scram_iterations = 1',
    ...roles.map(({ username, password }) => `alter role ${username} password '${password}'`),
  );
}

async function serverVersion(url: string): Promise<number> {
  const [row] = (await query(url, 'show server_version_num')) as { server_version_num: string }[];
  return Number(row?.server_version_num);
}
