import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileHasFailed } from './failure.ts';

/** A process that a test has started. */
export interface Program {
  readonly pid: number;
  /** Returns its output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Returns the first complete line of standard output; rejects when the process ends before. */
  firstLine(): Promise<string>;
  /** Resolves when the text appears on standard error; rejects when the process ends before. */
  saysOnStderr(text: string): Promise<void>;
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Sends a signal and waits for the end of the process. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

const running = new Set<ChildProcess>();
const accounts: (() => string)[] = [];

/** Starts a process with exactly the given environment. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Program {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  accounts.push(() => `${command} ${args.join(' ')}\n${stdout}${stderr}\n`);
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | NodeJS.Signals;
  });
  const until = async (met: () => boolean, stream: 'stdout' | 'stderr'): Promise<void> => {
    while (!met()) {
      const next = once(child[stream] as NodeJS.ReadableStream, 'data').then(() => undefined);
      const code = await Promise.race([next, ended]);
      if (code !== undefined && !met()) throw new Error(`ended with ${code}: ${stderr}`);
    }
  };
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    firstLine: async () => {
      await until(() => stdout.includes('\n'), 'stdout');
      return stdout.slice(0, stdout.indexOf('\n'));
    },
    saysOnStderr: (text) => until(() => stderr.includes(text), 'stderr'),
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Call this in afterEach: it prints the output of the processes of a failed test, and kills those that still run. */
export async function endPrograms(): Promise<void> {
  for (const tell of accounts.splice(0)) if (fileHasFailed()) process.stderr.write(tell());
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}
