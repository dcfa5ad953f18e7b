import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pino from 'pino';
import { inject } from 'vitest';
import { readPidFile } from '../../server/db/embedded/pid-file.ts';
import { type EmbeddedCluster, startEmbedded } from '../../server/db/embedded/start-embedded.ts';
import { type Program, startProgram } from './program.ts';
import { compileCache } from './rowgate.ts';

const program = path.join(import.meta.dirname, 'hold-cluster.ts');
const made: string[] = [];
const run = promisify(execFile);
const logger = pino({ level: 'silent' });

/** A program that runs a cluster, with the addresses of the cluster. */
export interface Holder extends Program {
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  readonly folder: string;
}

/** Creates a folder that `removeFolders` deletes, together with the cluster in it or below it. */
export async function makeDataFolder(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(path.join(inject('scratch'), 'data-'));
  await chmod(folder, mode);
  made.push(folder);
  return folder;
}

let cluster: Promise<string> | undefined;

/** Returns a new data folder with a stopped cluster. It is a copy of a cluster that is created once. */
export async function makeClusterFolder(): Promise<string> {
  cluster ??= makeCluster();
  const folder = await makeDataFolder();
  await run('cp', ['-a', `${await cluster}/.`, folder]);
  return folder;
}

/** Omits the record of the port, because all copies would use the same port. */
async function makeCluster(): Promise<string> {
  const dataDir = await mkdtemp(path.join(inject('scratch'), 'cluster-'));
  await chmod(dataDir, 0o755);
  const made = await startEmbedded({ dataDir, logger, durable: false });
  await made.stop();
  await rm(path.join(dataDir, 'postgres.json'));
  return dataDir;
}

/** Runs the cluster of a data folder in this process until `stop`. */
export function startCluster(dataDir: string): Promise<EmbeddedCluster> {
  return startEmbedded({ dataDir, logger });
}

/** Call this in afterEach. */
export async function removeFolders(): Promise<void> {
  for (const folder of made.splice(0)) {
    for (const dataDir of [folder, path.join(folder, '.rowgate')]) {
      const home = await clusterFolder(dataDir);
      await endCluster(path.join(home, 'data'));
      await rm(home, { recursive: true, force: true, maxRetries: 10 });
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * Stops the cluster immediately, but not with SIGKILL: the shared memory of the server would then remain until the
 * machine stops.
 */
async function endCluster(data: string): Promise<void> {
  const running = await readPidFile(data).catch(() => undefined);
  if (!running) return;
  await run('kill', ['-QUIT', String(running.pid)]);
  while (await readPidFile(data).catch(() => undefined)) await delay(20);
}

/** Returns the folder of the cluster of a data folder. */
export async function clusterFolder(dataDir: string): Promise<string> {
  const record = await readFile(path.join(dataDir, 'postgres.json'), 'utf8').catch(() => '{}');
  return (JSON.parse(record) as { folder?: string }).folder ?? path.join(dataDir, 'postgres');
}

/** Starts a program that runs the cluster of a data folder, and waits until the cluster is ready. */
export async function holdCluster(
  dataDir: string,
  options: Parameters<typeof startProgram>[2] & {
    readonly node?: string;
    readonly script?: string;
  } = {},
): Promise<Holder> {
  const { node = process.execPath, script = program, ...spawning } = options;
  const env = spawning.env ?? { ...process.env, ...compileCache() };
  const holder = startProgram(node, [script, dataDir], { ...spawning, env });
  const urls = JSON.parse(await holder.firstLine()) as Omit<Holder, keyof Program>;
  return { ...holder, ...urls };
}
