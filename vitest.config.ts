import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const cluster = 'test/support/cluster.ts';

/**
 * Files that take 15 seconds or more, and those that need a browser or start programs: random walks, examples of the
 * documentation, and waits for real timeouts. `npm run test:slow` runs them, `npm test` does not.
 */
const slow = [
  'test/permissions/apply/runbooks.test.ts',
  'test/permissions/import/hasura-project.test.ts',
  'test/permissions/login/views.test.ts',
  'test/permissions/names/hostile-names.test.ts',
  'test/permissions/property/**/*.test.ts',
  'test/permissions/statistics/column-statistics.test.ts',
  'test/platform/postgraphile.test.ts',
  'test/platform/sentinel/**/*.test.ts',
  'test/repository/documentation/{application-page,clients,custom-queries,deployment}.test.ts',
  'test/repository/documentation/{from-hasura,in-front-of-postgraphile,operators}.test.ts',
  'test/repository/documentation/{own-database,platform,readme,site}.test.ts',
  'test/repository/packed.test.ts',
  'test/server/platform/accounts/sessions/instances.test.ts',
  'test/server/platform/documents/sparkline/picture.test.ts',
  'test/server/cli/{embedded,operator,serve}.test.ts',
  'test/server/db/embedded/{environment,recovery}.test.ts',
  'test/server/events/killed-workers.test.ts',
  'test/server/graphql/{explorer,hostile}.test.ts',
  'test/server/graphql/websocket/protocols.test.ts',
  'test/server/http/{docs,origins}.test.ts',
  'test/server/rendering/html/{accessibility,hostile,looks,policy,print,structure}.test.ts',
  'test/server/schedules/schedules.test.ts',
  'test/server/mail/{accessibility,failing}.test.ts',
  'test/server/queue/advisory-locks.test.ts',
  'test/server/platform/webhooks/callbacks/{linked-later,worker}.test.ts',
];

/** Everything that is not slow, on the Postgres that Rowgate brings along. */
const newest: TestProjectConfiguration = {
  test: {
    name: 'postgres-18',
    include: ['test/**/*.test.ts'],
    exclude: slow,
    globalSetup: [cluster],
  },
};

/** The slow files, on the same Postgres. */
const slowest: TestProjectConfiguration = {
  test: { name: 'slow', include: slow, globalSetup: [cluster] },
};

/**
 * On the oldest Postgres that Rowgate supports: what the database itself enforces, reads from its catalogs or makes
 * of SQL. Left out is what comes out the same whichever Postgres answers.
 */
const oldest: TestProjectConfiguration = {
  test: {
    name: 'postgres-14',
    include: [
      'test/permissions/**/*.test.ts',
      'test/platform/**/*.test.ts',
      'test/server/graphql/**/*.test.ts',
      'test/server/postgraphile/engine.test.ts',
      'test/server/db/{database,gateway-login}.test.ts',
      'test/server/platform/documents/read/**/*.test.ts',
    ],
    exclude: [
      // Files in, diagnostics or files out; what is read of the catalogs for it, the golden cases read too.
      'test/permissions/{import,metadata,model}/**',
      // Drift of views; what they hold, test/server/graphql/views.test.ts asks of both.
      'test/permissions/views/**',
      // Views that obey their readers' rights came with 15.
      'test/server/graphql/invoker-views.test.ts',
      'test/permissions/login/views{,-copy}.test.ts',
      'test/permissions/catalog-file.test.ts',
      'test/permissions/lint/{platform,severity}.test.ts',
      // Quoting, of which Postgres has changed nothing.
      'test/permissions/names/**',
      // What else was tampered with; that drift is found, test/permissions/drift and lint/database ask of both.
      'test/permissions/attacks/{drift,own-objects}.test.ts',
      'test/permissions/{events/drift,upsert/guard-state}.test.ts',
      // Rules at random, which compile to the same on both; each operator the golden cases ask of both.
      'test/permissions/property/**',
      // The platform over HTTP: its rules are asked in SQL on both, and GraphQL's statements by test/server/graphql.
      'test/platform/{http-*,matrix-http,postgraphile,transitions,write-fields}.test.ts',
      'test/platform/sentinel/**',
      // Aggregates, rows compared and ties broken, locks: of these Postgres has changed nothing.
      'test/server/graphql/{order-by,pages,related-conditions}.test.ts',
      'test/server/graphql/concurrency/**',
      // What happens before there is a statement, or around it.
      'test/server/graphql/{absent-variables,access,custom-names,documents,enums}.test.ts',
      'test/server/graphql/{explorer,fair-share,hidden-columns,hostile,introspection}.test.ts',
      'test/server/graphql/{disconnected-clients,isolation,limits,reload,request-pool,transport}.test.ts',
      // Functions as root fields over HTTP; what Postgres makes of them, test/permissions/functions asks of both.
      'test/server/graphql/functions.test.ts',
      'test/server/graphql/operations/**',
      'test/server/graphql/websocket/**',
      'test/server/graphql/inherited/{non-interference,property}.test.ts',
      'test/server/graphql/write/{backend-only,broken-connections,introspection}.test.ts',
      // What is said about keys that a role may not read; how rows are found by them, permissions/upsert asks of both.
      'test/server/graphql/write/blind-upsert.test.ts',
      // Made of the statements that insert, update, upsert and nested-insert beside them ask of both.
      'test/server/graphql/write/{keys,known-differences,returning,transactions}.test.ts',
      // What presets fill, the golden cases ask of both.
      'test/server/graphql/write/presets.test.ts',
    ],
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
    projects: hasOldest() ? [newest, slowest, oldest] : [newest, slowest],
    setupFiles: ['test/support/watch-failures.ts'],
    sequence: { sequencer: LongestFirst },
    // Processes, not threads: commands change the process, and SIGTERM is part of what is tested.
    pool: 'forks',
    // Loading PostGraphile takes longer than most files need for their tests, so files share a process.
    isolate: false,
    // Tests wait for Postgres most of the time.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Servers and schemas come and go by the hundred; with more room for young objects V8 copies fewer of them.
    execArgv: ['--max-semi-space-size=32'],
    env: { GRAPHILE_ENV: 'production' },
    // What is waited for may take its time on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Statements end by themselves after 15 s: what is to end before must do so because of somebody.
    expect: { poll: { timeout: 10_000 } },
  },
});
