/*
 * Measures how much one caller's attacks slow down another caller of the same role. It sends normal requests at a fixed
 * rate, in turns without attack, under each attack, and beside a busy processor for comparison. Takes about five minutes;
 * ROWGATE_BENCH_ROUNDS=1 is quicker.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { type Contender, startContender, stopContenders } from './contender.ts';
import { makeBenchDatabase, secret, startBenchCluster } from './database.ts';
import { type Attack, attacks, headersOf, post } from './hostile/attacks.ts';
import { type Outcomes, startAttack } from './hostile/start-attack.ts';
import { type Peaks, PeakWatch } from './hostile/watch-peaks.ts';
import { quantile, spread } from './measure.ts';
import { rounds } from './options.ts';
import { bodyOf, operations } from './throughput/operations.ts';

const PHASE_MS = 4000;
/** The interval between two normal requests. */
const PACE_MS = 10;
const POOL_SIZE = 10;

/** Returns the milliseconds of each normal request, from the time at which it was due. */
async function normalTraffic(port: number): Promise<readonly number[]> {
  const [operation] = operations;
  if (!operation) return [];
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const began = performance.now();
  for (let turn = 0; turn * PACE_MS < PHASE_MS; turn += 1) {
    const due = began + turn * PACE_MS;
    await delay(Math.max(0, due - performance.now()));
    const one = post(port, headersOf(secret, 1), bodyOf(operation, turn)).then((answer) => {
      if (!answer.startsWith('{"data":')) throw new Error(answer.slice(0, 300));
      times.push(performance.now() - due);
    });
    running.push(one);
  }
  await Promise.all(running);
  return times;
}

interface Pair {
  readonly quiet: number;
  readonly attacked: number;
  readonly peaks: Peaks;
  readonly outcomes: Outcomes;
}

const p99 = (times: readonly number[]) => quantile(times, 0.99);

async function runPair(gateway: Contender, watcher: pg.Client, attack: Attack): Promise<Pair> {
  const quiet = p99(await normalTraffic(gateway.port));
  const watch = new PeakWatch(gateway, watcher);
  const running = startAttack({ name: attack.name, port: gateway.port, secret });
  await running.begun;
  const attacked = p99(await normalTraffic(gateway.port));
  const peaks = await watch.end();
  return { quiet, attacked, peaks, outcomes: await running.stop() };
}

/**
 * Returns the 99th percentile of latencies while a thread of the measuring process computes without end. The result
 * shows which part of an attack's effect comes from a busy processor alone.
 */
async function besideBusyThread(port: number): Promise<number> {
  const busy = new Worker('for (;;);', { eval: true });
  try {
    return p99(await normalTraffic(port));
  } finally {
    await busy.terminate();
  }
}

function report({ name }: Attack, pairs: readonly Pair[]): void {
  const of = (pick: (pair: Pair) => number, digits = 0) => spread(pairs.map(pick), digits);
  const outcomes = new Map<string, number>();
  for (const pair of pairs) {
    for (const [code, count] of pair.outcomes)
      outcomes.set(code, (outcomes.get(code) ?? 0) + count);
  }
  console.log(`\n${name}`);
  console.log(
    `  normal p99: quiet ${of((pair) => pair.quiet, 1)} ms, attacked ${of((pair) => pair.attacked, 1)} ms`,
  );
  console.log(`  attacked / quiet: ${of((pair) => pair.attacked / pair.quiet, 1)}`);
  console.log(
    `  connections in use, the normal caller's among them: ${of(({ peaks }) => peaks.connections)} of ${POOL_SIZE}`,
  );
  console.log(
    `  largest backend: ${of(({ peaks }) => peaks.backendMiB)} MiB; gateway: ${of(({ peaks }) => peaks.residentMiB)} MiB`,
  );
  console.log(`  longest delay of the event loop: ${of(({ peaks }) => peaks.eventLoopMs)} ms`);
  console.log(
    `  the attacker got: ${[...outcomes].map(([code, count]) => `${count} × ${code}`).join(', ')}`,
  );
}

const cluster = await startBenchCluster();
const database = await makeBenchDatabase(cluster);
const contenders: Contender[] = [];
const watcher = new pg.Client({ connectionString: database.ownerUrl });
try {
  await watcher.connect();
  const { gatewayUrl, metadata } = database;
  const logFile = path.join(cluster.folder, 'gateway.log');
  const settings = { gatewayUrl, secret, metadata, poolSize: POOL_SIZE, logFile };
  const gateway = await startContender('gateway', settings);
  contenders.push(gateway);
  await normalTraffic(gateway.port);
  console.log(
    `${rounds} pairs of ${PHASE_MS} ms, ${1000 / PACE_MS} normal requests/s, node ${process.version}`,
  );
  const busy: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const quiet = p99(await normalTraffic(gateway.port));
    busy.push((await besideBusyThread(gateway.port)) / quiet);
  }
  console.log(`\nfor comparison, a busy processor without any attack / quiet: ${spread(busy, 1)}`);
  for (const attack of attacks) {
    const pairs: Pair[] = [];
    for (let round = 0; round < rounds; round += 1)
      pairs.push(await runPair(gateway, watcher, attack));
    report(attack, pairs);
  }
} finally {
  stopContenders(contenders);
  await watcher.end();
  await cluster.remove();
}
