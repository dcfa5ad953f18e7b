/*
 * Measures `npm start` without configuration until /healthz answers: the first start, with initdb, migrations, demo data
 * and all rules, and a second start with the same data. Target: second start below 5 s.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spread, vacantPort } from './measure.ts';

const { ROWGATE_BENCH_ROUNDS, ...environment } = process.env;
const rounds = Number(ROWGATE_BENCH_ROUNDS ?? 5);
const PATIENCE_MS = 120_000;
const POLL_MS = 20;

const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-bench-'));
// When this process runs as root, Postgres runs as another user, who must be able to enter this folder.
await chmod(folder, 0o711);
try {
  const first: number[] = [];
  const second: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = path.join(folder, `data-${round}`);
    first.push(await startOnce(dataDir));
    second.push(await startOnce(dataDir));
  }
  console.log(`${rounds} rounds, until /healthz answers`);
  console.log(`  first npm start    ${spread(first, 2)} s`);
  console.log(`  second npm start   ${spread(second, 2)} s`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Starts the server, waits until it is healthy, and stops it. Returns the seconds until it was healthy. */
async function startOnce(dataDir: string): Promise<number> {
  const port = await vacantPort();
  const began = performance.now();
  // A separate process group, because npm forwards signals only with a terminal.
  const server = spawn('npm', ['start', '--silent'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: {
      ...environment,
      PORT: String(port),
      ROWGATE_DATA_DIR: dataDir,
      ROWGATE_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  // Waits for `close` instead of `exit`: npm exits before the server has stopped Postgres, but the server holds the
  // pipe open until then.
  const ended = once(server, 'close');
  const output = keepOutput(server);
  try {
    await healthy(port, server, output);
    return (performance.now() - began) / 1000;
  } finally {
    signalGroup(server, 'SIGTERM');
    await ended;
  }
}

async function healthy(port: number, server: ChildProcess, output: () => string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline && server.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(POLL_MS);
  }
  throw new Error(`the server did not become healthy:\n${output()}`);
}

/** Collects the output of the server, which is printed only when the start fails. */
function keepOutput(server: ChildProcess): () => string {
  let output = '';
  const keep = (data: Buffer) => {
    output += data;
  };
  server.stdout?.on('data', keep);
  server.stderr?.on('data', keep);
  return () => output;
}

function signalGroup(server: ChildProcess, signal: NodeJS.Signals): void {
  if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, signal);
}
