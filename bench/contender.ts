import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { BenchDatabase } from './database.ts';

/** One of the compared servers, which runs in a separate process. */
export interface Contender<Name extends string = string> {
  readonly name: Name;
  readonly port: number;
  readonly process: ChildProcess;
}

/** Starts `contenders/<name>.ts`, which receives its settings through `contenderSettings`. */
export function startContender<Name extends string>(
  name: Name,
  settings: object,
): Promise<Contender<Name>> {
  const env = {
    ...process.env,
    ROWGATE_BENCH: JSON.stringify(settings),
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
  };
  const child = fork(path.join(import.meta.dirname, 'contenders', `${name}.ts`), { env });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const { port } = message as { port: number };
      resolve({ name, port, process: child });
    });
    child.once('exit', (code) => reject(new Error(`${name} ended with exit code ${code}`)));
  });
}

interface RowgateOptions {
  /** `bin/rowgate.js` of a checkout. */
  readonly program: string;
  readonly logFile: string;
  /** Options for Node itself. */
  readonly nodeOptions?: readonly string[];
}

/**
 * Starts `rowgate serve --only graphql` of a checkout with its default settings. The request log goes to a file.
 * @param database a database to which the checkout has applied its rules
 */
export async function startRowgate<Name extends string>(
  name: Name,
  { metadata, environment }: Pick<BenchDatabase, 'metadata' | 'environment'>,
  { program, logFile, nodeOptions = [] }: RowgateOptions,
): Promise<Contender<Name>> {
  const log = await open(logFile, 'w');
  try {
    const options: SpawnOptions = {
      env: { ...process.env, ...environment, PORT: '0', NODE_ENV: 'production' },
      stdio: ['ignore', log.fd, 'pipe', 'ipc'],
    };
    const args = [...nodeOptions, program, 'serve', '--metadata', metadata, '--only', 'graphql'];
    const child = spawn(process.execPath, args, options);
    return { name, port: await announcedPort(name, child), process: child };
  } finally {
    await log.close();
  }
}

function announcedPort(name: string, child: ChildProcess): Promise<number> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (data) => {
      output += data;
      const port = /serves GraphQL at http:\/\/[^:]+:(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${output}`)));
  });
}

export function stopContenders(contenders: readonly Contender[]): void {
  for (const { process: child } of contenders) {
    child.removeAllListeners('exit');
    child.kill();
  }
}
