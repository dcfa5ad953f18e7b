import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/** One of the compared servers, which runs in a separate process. */
export interface Contender<Name extends string = string> {
  readonly name: Name;
  readonly port: number;
  readonly process: ChildProcess;
}

/**
 * Starts `contenders/<name>.ts`, which receives its settings through `contenderSettings`.
 * @param script another file to start
 */
export function startContender<Name extends string>(
  name: Name,
  settings: object,
  script = path.join(import.meta.dirname, 'contenders', `${name}.ts`),
): Promise<Contender<Name>> {
  const env = {
    ...process.env,
    ROWGATE_BENCH: JSON.stringify(settings),
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
  };
  const child = fork(script, { env });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const { port } = message as { port: number };
      resolve({ name, port, process: child });
    });
    child.once('exit', (code) => reject(new Error(`${name} ended with exit code ${code}`)));
  });
}

export function stopContenders(contenders: readonly Contender[]): void {
  for (const { process: child } of contenders) {
    child.removeAllListeners('exit');
    child.kill();
  }
}
