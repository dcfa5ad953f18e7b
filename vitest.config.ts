import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const cluster = 'test/support/cluster.ts';

/**
 * Files that take 15 seconds or more, need a browser, or start programs. Examples are random rules, the examples of the
 * documentation, and tests that wait for a timeout. `npm run test:slow` runs them, `npm test` does not.
 */
const slow = [
  'test/permissions/apply/runbooks.test.ts',
  'test/permissions/diff/rows/{soundness,z3}.test.ts',
  'test/permissions/import/hasura-project.test.ts',
  'test/permissions/login/views.test.ts',
  'test/permissions/matrix/page.test.ts',
  'test/permissions/names/hostile-names.test.ts',
  'test/permissions/property/**/*.test.ts',
  'test/permissions/speed/**/*.test.ts',
  'test/permissions/statistics/column-statistics.test.ts',
  'test/permissions/testing/*.test.ts',
  'test/platform/{permission-tests,postgraphile}.test.ts',
  'test/platform/sentinel/**/*.test.ts',
  'test/repository/documentation/{application-page,clients,custom-queries,deployment}.test.ts',
  'test/repository/documentation/{from-hasura,in-front-of-postgraphile,operators}.test.ts',
  'test/repository/documentation/{own-database,platform,readme,review-permission-change,site}.test.ts',
  'test/repository/packed.test.ts',
  'test/server/platform/accounts/sessions/instances.test.ts',
  'test/server/platform/documents/sparkline/picture.test.ts',
  'test/server/cli/{embedded,operator,serve}.test.ts',
  'test/server/console/{application,as,events,explorer,health,hostile,large,screens}.test.ts',
  'test/server/db/embedded/{environment,recovery}.test.ts',
  'test/server/events/killed-workers.test.ts',
  'test/server/graphql/hostile.test.ts',
  'test/server/graphql/subscriptions/{haproxy,stress/stress}.test.ts',
  'test/server/graphql/websocket/protocols.test.ts',
  'test/server/http/{docs,origins}.test.ts',
  'test/server/rendering/html/{accessibility,hostile,looks,policy,print,structure}.test.ts',
  'test/server/schedules/schedules.test.ts',
  'test/server/mail/{accessibility,failing}.test.ts',
  'test/server/queue/advisory-locks.test.ts',
  'test/server/platform/webhooks/callbacks/{linked-later,worker}.test.ts',
];

/** All files that are not slow, on the Postgres version that Rowgate installs. */
const newest: TestProjectConfiguration = {
  test: {
    name: 'postgres-18',
    include: ['test/**/*.test.ts'],
    exclude: slow,
  },
};

/** The slow files, on the same version. */
const slowest: TestProjectConfiguration = {
  test: { name: 'slow', include: slow },
};

/**
 * The oldest version of Postgres that Rowgate supports. The project runs the files whose result can depend on the
 * version: rules that the database enforces, catalogs, and the SQL of GraphQL. It excludes all other files.
 */
const oldest: TestProjectConfiguration = {
  test: {
    name: 'postgres-14',
    include: [
      'test/permissions/**/*.test.ts',
      'test/platform/**/*.test.ts',
      'test/server/graphql/**/*.test.ts',
      'test/server/postgraphile/engine.test.ts',
      'test/server/db/{database,flight,gateway-login}.test.ts',
      'test/server/platform/documents/read/**/*.test.ts',
    ],
    exclude: [
      // They turn files into diagnostics or other files, or compare rules. The golden cases read the same catalogs.
      'test/permissions/{import,matrix,metadata,model,review}/**',
      // They compare files and print the result. replay and evidence run statements on both versions.
      'test/permissions/diff/{command,continuous-integration,golden,parts,written-rows}.test.ts',
      // They compare rules without a database, except replay.test.ts.
      'test/permissions/diff/rows/{known-pairs,mutants,platform-rules,soundness,words,z3}.test.ts',
      // They test the drift of views. test/server/graphql/views.test.ts tests the rows of views on both versions.
      'test/permissions/views/**',
      // Postgres 15 added security_invoker views.
      'test/server/graphql/invoker-views.test.ts',
      'test/permissions/login/views{,-copy,-roles}.test.ts',
      'test/permissions/catalog-file.test.ts',
      'test/permissions/lint/{platform,severity}.test.ts',
      // Both versions quote names in the same way.
      'test/permissions/names/**',
      // test/permissions/drift and lint/database test on both versions that drift is found.
      'test/permissions/attacks/{drift,own-objects}.test.ts',
      'test/permissions/{events/drift,upsert/guard-state}.test.ts',
      // Random rules compile to the same SQL for both versions. The golden cases test each operator on both.
      'test/permissions/property/**',
      // expectations.test.ts runs statements of every kind of test on both versions.
      'test/permissions/testing/{graphql,mistakes,mutants}.test.ts',
      'test/platform/permission-tests.test.ts',
      // The planner of each version chooses other plans. The pages are gated on the newest version.
      'test/permissions/speed/**',
      // They test the platform over HTTP. Other files test its rules in SQL, and the SQL of GraphQL, on both versions.
      'test/platform/{http-*,matrix-http,postgraphile,transitions,write-fields}.test.ts',
      'test/platform/sentinel/**',
      // Aggregates, row comparison, the order of equal rows and locks are the same in both versions.
      'test/server/graphql/{order-by,pages,related-conditions}.test.ts',
      'test/server/graphql/concurrency/**',
      // They test code that runs before or after the SQL statement.
      'test/server/graphql/{absent-variables,access,custom-names,documents,enums}.test.ts',
      'test/server/graphql/{fair-share,hidden-columns,hostile,introspection}.test.ts',
      'test/server/graphql/{disconnected-clients,limits,reload,request-pool,transport}.test.ts',
      // It tests functions over HTTP. test/permissions/functions tests their SQL on both versions.
      'test/server/graphql/functions.test.ts',
      'test/server/graphql/operations/**',
      // It compares two schemas of one model. The golden cases read the same catalogs on both versions.
      'test/server/graphql/schema/on-demand-schema.test.ts',
      // The stress starts a Postgres of its own, of the newest version, and HAProxy balances over processes.
      'test/server/graphql/subscriptions/{haproxy.test.ts,stress/**}',
      'test/server/graphql/websocket/**',
      // They test clients, limits and the sharing of fetches. end-to-end and stress run subscriptions on both versions.
      'test/server/graphql/subscriptions/{access-end,clients,cohorts,event-streams,live-stats}.test.ts',
      'test/server/graphql/subscriptions/{refetch-queue,streams}.test.ts',
      'test/server/graphql/inherited/{non-interference,property}.test.ts',
      'test/server/graphql/write/{backend-only,broken-connections,introspection}.test.ts',
      // It tests error messages. test/permissions/upsert tests on both versions how rows are found by hidden keys.
      'test/server/graphql/write/blind-upsert.test.ts',
      // Their statements are those of the insert, update, upsert and nested-insert tests, which run on both versions.
      'test/server/graphql/write/{keys,known-differences}.test.ts',
      // The golden cases test on both versions which values presets set.
      'test/server/graphql/write/presets.test.ts',
    ],
    globalSetup: [cluster],
    provide: { postgresPackage: 'pg14' },
  },
};

/** Returns whether the package of Postgres 14 is installed. It exists for Linux on x64 only. */
function hasOldest(): boolean {
  if (existsSync(path.join(import.meta.dirname, 'node_modules/pg14'))) return true;
  process.stderr.write('Postgres 14 is not tested: its package pg14 is not installed here\n');
  return false;
}

export default defineConfig({
  test: {
    // A project without a cluster of its own uses this one, and so shares its templates.
    globalSetup: [cluster],
    projects: hasOldest() ? [newest, slowest, oldest] : [newest, slowest],
    setupFiles: ['test/support/watch-failures.ts', 'test/support/share-compile-cache.ts'],
    sequence: { sequencer: LongestFirst },
    // Processes instead of threads, because commands receive the signals of their process.
    pool: 'forks',
    // Files share a process, because loading PostGraphile takes longer than the tests of most files.
    isolate: false,
    // More workers than cores, because tests often wait for Postgres, other programs and timers.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Tests create hundreds of servers and schemas. With more space for new objects V8 copies fewer of them.
    execArgv: ['--max-semi-space-size=32'],
    env: { GRAPHILE_ENV: 'production' },
    // Long enough for a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Shorter than the statement timeout of 15 s, so that a statement that should be cancelled cannot just time out.
    expect: { poll: { timeout: 10_000 } },
  },
});
