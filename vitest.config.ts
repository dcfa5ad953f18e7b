import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const cluster = 'test/support/cluster.ts';

/** Everything, on the Postgres that Rowgate brings along. */
const newest: TestProjectConfiguration = {
  test: { name: 'postgres-18', include: ['test/**/*.test.ts'], globalSetup: [cluster] },
};

/** All that talks to a database, on the oldest Postgres that Rowgate supports. */
const oldest: TestProjectConfiguration = {
  test: {
    name: 'postgres-14',
    include: [
      'test/permissions/**/*.test.ts',
      'test/platform/**/*.test.ts',
      'test/server/graphql/**/*.test.ts',
      'test/server/db/*.test.ts',
      'test/server/readiness.test.ts',
    ],
    exclude: ['test/permissions/load/**'],
    globalSetup: [cluster],
    provide: { postgresPackage: 'pg14' },
  },
};

/** The package exists for Linux on x64 alone. */
function hasOldest(): boolean {
  if (existsSync(path.join(import.meta.dirname, 'node_modules/pg14'))) return true;
  process.stderr.write('Postgres 14 is not tested: its package pg14 is not installed here\n');
  return false;
}

export default defineConfig({
  test: {
    projects: hasOldest() ? [newest, oldest] : [newest],
    setupFiles: ['test/support/failure.ts'],
    // Processes, not threads: commands change the process, and SIGTERM is part of what is tested.
    pool: 'forks',
    // Tests wait for Postgres most of the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    env: { GRAPHILE_ENV: 'production' },
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
