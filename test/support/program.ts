import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileHasFailed } from './failure.ts';

/** A program that a test has started. */
export interface Program {
  readonly pid: number;
  /** What it has written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The first whole line of standard output; rejects where the program ends before. */
  firstLine(): Promise<string>;
  /** Resolves once the text is on standard error; rejects where the program ends before. */
  saysOnStderr(text: string): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

const running = new Set<ChildProcess>();
const accounts: (() => string)[] = [];

/** Starts a program with the environment as given and nothing else. */
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

/** For afterEach: shows what the programs of a failed test have said, and kills those that still run. */
export async function endPrograms(): Promise<void> {
  for (const tell of accounts.splice(0)) if (fileHasFailed()) process.stderr.write(tell());
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}
