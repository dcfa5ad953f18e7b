import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { type Program, startProgram } from './program.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Path of the installed program. */
export const program = path.join(root, 'bin/rowgate.js');

/** The output and exit code of a finished process. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment variable for a compile cache that all processes of a run share. */
export const compileCache = () => ({
  NODE_COMPILE_CACHE: path.join(inject('scratch'), 'compiled'),
});

/** Runs `rowgate …` in the checkout until it ends, with exactly the given environment. */
export async function runRowgate(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  node: string = process.execPath,
): Promise<Finished> {
  try {
    const options = { env: { ...compileCache(), ...env }, cwd: root };
    const { stdout, stderr } = await promisify(execFile)(node, [program, ...args], options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as Finished;
    return { code, stdout, stderr };
  }
}

/** A server in its own process. */
export interface Served extends Program {
  readonly url: string;
}

/** Starts `rowgate serve …` on a free port with the given environment, and waits until it serves. */
export async function serveRowgate(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  node: string = process.execPath,
): Promise<Served> {
  const port = env.PORT ?? String(await vacantPort());
  const started = startProgram(node, [program, 'serve', ...args], {
    env: { ...compileCache(), ...env, PORT: port },
    cwd: root,
  });
  await started.saysOnStderr('Try it:');
  return { ...started, url: `http://127.0.0.1:${port}` };
}

/** Returns a free port of the loopback interface. */
export async function vacantPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
