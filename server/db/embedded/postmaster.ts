import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessError } from '../../errors.ts';
import { runAs, spawnOptions } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterHome } from './home.ts';
import { readPidFile } from './pid-file.ts';

const startTimeoutMs = 120_000;
const pollMs = 20;

/** Postgres settings by name. */
export type Settings = Readonly<Record<string, string>>;

/** The settings and the environment with which the server is started. */
export interface Start {
  readonly settings: Settings;
  /** Environment variables beside those of `spawnOptions`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Waits until a running server of this cluster accepts logins and returns its port; undefined when no server runs. */
export async function findRunning(home: ClusterHome): Promise<number | undefined> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    const found = await readPidFile(home.data);
    if (!found || found.ready) return found?.port;
    await delay(pollMs);
  }
  throw startFailure(home, 'a server that runs on it is not ready');
}

/**
 * Starts the server on the preferred port, or on a free port when the preferred one is in use, and waits until the
 * server accepts logins. The server outlives this process. Throws RG_CLUSTER_FAILED with the last lines of the server's
 * log.
 */
export async function startPostmaster(
  home: ClusterHome,
  binaries: Binaries,
  preferredPort: number | undefined,
  { settings, environment }: Start,
): Promise<number> {
  const deadline = Date.now() + startTimeoutMs;
  let port = preferredPort ?? (await freePort());
  while (Date.now() < deadline) {
    const start = { settings: { ...settings, port: String(port) }, environment };
    const launched = await launch(home, binaries, start);
    if (await becomesReady(launched, home, deadline)) return port;
    const lines = await lastLogLines(home.log);
    if (/could not bind|could not create any TCP/.test(lines)) port = await freePort();
    // Child processes of a killed server may run for a moment longer than the server, and keep its shared memory in
    // use. The start is then tried again.
    else if (!/shared memory block .* is still in use/.test(lines)) throw startFailure(home, lines);
    await delay(pollMs);
  }
  throw startFailure(home, 'it was not ready in time');
}

/** Stops the server if it runs, with `pg_ctl stop -m fast`, and with `immediate` when that takes too long. */
export async function stopPostmaster(home: ClusterHome, binaries: Binaries): Promise<void> {
  const found = await readPidFile(home.data);
  if (!found) return;
  const stop = (mode: string) =>
    runAs(home.account, binaries.pgCtl, ['stop', '-D', home.data, '-w', '-t', '30', '-m', mode]);
  if ((await stop('fast')).ok) return;
  const outcome = await stop('immediate');
  if (outcome.ok || !(await readPidFile(home.data))) return;
  throw new ProcessError('RG_CLUSTER_FAILED', `cannot stop Postgres: ${outcome.output}`, {
    hint: `end process ${found.pid} by hand`,
  });
}

interface Launched {
  readonly child: ChildProcess;
  readonly ended: Promise<'ended'>;
}

/**
 * Starts Postgres in a separate terminal session. Otherwise Ctrl-C would stop Postgres immediately, before Rowgate has
 * finished its running requests.
 */
async function launch(
  home: ClusterHome,
  binaries: Binaries,
  { settings, environment }: Start,
): Promise<Launched> {
  await rename(home.log, `${home.log}.previous`).catch(() => undefined);
  const log = await open(home.log, 'w', 0o600);
  try {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { env, ...account } = spawnOptions(home.account);
    const child = spawn(binaries.postgres, ['-D', home.data, ...options], {
      ...account,
      env: { ...env, ...environment },
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    child.unref();
    const ended = new Promise<'ended'>((resolve) => {
      child.once('exit', () => resolve('ended'));
      child.once('error', () => resolve('ended'));
    });
    return { child, ended };
  } finally {
    await log.close();
  }
}

async function becomesReady(
  { child, ended }: Launched,
  home: ClusterHome,
  deadline: number,
): Promise<boolean> {
  while (Date.now() < deadline) {
    if ((await Promise.race([ended, delay(pollMs)])) === 'ended') return false;
    const found = await readPidFile(home.data);
    if (found?.pid === child.pid && found?.ready) return true;
  }
  child.kill('SIGQUIT');
  await ended;
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

async function lastLogLines(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-8).join('\n');
}

function startFailure(home: ClusterHome, reason: string): ProcessError {
  return new ProcessError(
    'RG_CLUSTER_FAILED',
    `Postgres did not start on ${home.data}: ${reason}`,
    { hint: `its log is ${home.log}` },
  );
}
