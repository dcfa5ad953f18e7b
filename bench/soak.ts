/*
 * Sends mixed requests of two tenants and two roles for five minutes, applies other rules every few seconds, and
 * restarts Postgres once. Fails when an answer is wrong, when a request fails beside the restart, or when memory or
 * database connections grow. ROWGATE_BENCH_SOAK_SECONDS changes the duration.
 */
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Contender, startRowgate, stopContenders } from './contender.ts';
import { applyRules, makeBenchDatabase, startBenchCluster } from './database.ts';
import { rowgate } from './measure.ts';
import { soakSeconds } from './options.ts';
import { keepCalling, type Tally } from './soak/callers.ts';
import { type Changes, changeAndRestart, servesLastRules } from './soak/changes.ts';
import { type Observation, problemsOf, quartersOf, type Sample } from './soak/verdict.ts';
import { watch } from './soak/watch.ts';

const POOL_SIZE = 10;
const CONNECTIONS_PER_CALLER = 3;
/** The share of the duration after which memory is compared, when caches are full and code is compiled. */
const WARM_UP_SHARE = 0.2;

const callers = (['tenant', 'reader'] as const).flatMap((role) =>
  [0, 1].map((tenant) => ({ role, tenant })),
);

const cluster = await startBenchCluster();
const contenders: Contender[] = [];
try {
  const database = await makeBenchDatabase(cluster);
  const { environment } = database;
  const metadata = path.join(cluster.folder, 'metadata');
  await cp(path.join(import.meta.dirname, 'soak', 'metadata'), metadata, { recursive: true });
  await applyRules(metadata, environment);
  const logFile = path.join(cluster.folder, 'gateway.log');
  const memory = pathToFileURL(path.join(import.meta.dirname, 'soak', 'report-memory.ts')).href;
  const nodeOptions = ['--expose-gc', '--import', memory];
  const serving = { program: rowgate, logFile, nodeOptions };
  const server = await startRowgate('gateway', { metadata, environment }, serving);
  contenders.push(server);

  const tally: Tally = { correct: 0, aborted: 0, failures: [] };
  const samples: Sample[] = [];
  const end = new AbortController();
  const began = performance.now();
  const ending = began + soakSeconds * 1000;
  const running = [
    ...callers.flatMap((caller) =>
      Array.from({ length: CONNECTIONS_PER_CALLER }, () =>
        keepCalling(caller, server.port, tally, end.signal),
      ),
    ),
    watch(server, database, samples, end.signal),
  ];
  const changing = changeAndRestart({ cluster, metadata, environment, from: began, to: ending });
  const changes = await Promise.race([changing, Promise.all(running).then(() => undefined)]);
  end.abort();
  await Promise.all(running);
  if (!changes) throw new Error('the callers ended early');
  const from = began + soakSeconds * 1000 * WARM_UP_SHARE;
  const { failures } = tally;
  const { restart } = changes;
  const observation = { from, to: ending, samples, failures, restart, poolSize: POOL_SIZE };
  const problems = [
    ...problemsOf(observation),
    ...((await servesLastRules(server.port, changes))
      ? []
      : ['the server does not serve the rules that were applied last']),
  ];
  const reloads = (await readFile(logFile, 'utf8')).split('reloaded the metadata').length - 1;
  report(tally, observation, { ...changes, reloads });
  for (const problem of problems) console.error(`problem: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  stopContenders(contenders);
  await cluster.remove();
}

function report(
  { correct, aborted, failures }: Tally,
  observation: Observation,
  { applied, awayMs, reloads }: Changes & { readonly reloads: number },
): void {
  console.log(`${soakSeconds} s, ${callers.length} callers, node ${process.version}`);
  console.log(`  ${correct} correct answers, ${aborted} requests left before their answer`);
  console.log(`  rules applied ${applied} times, reloaded ${reloads} times`);
  console.log(
    `  Postgres restarted within ${awayMs.toFixed(0)} ms; ${failures.length} requests failed`,
  );
  for (const figure of ['heapMiB', 'residentMiB', 'connections'] as const) {
    const { first, last } = quartersOf(observation, figure);
    console.log(`  ${figure}: first quarter ${first.toFixed(0)}, last quarter ${last.toFixed(0)}`);
  }
}
