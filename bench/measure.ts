import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

/** The time and memory of one run of a program. */
export interface ProgramRun {
  readonly milliseconds: number;
  /** Peak resident memory in MiB; undefined on systems other than Linux. */
  readonly peakMiB: number | undefined;
  /** Processor time of the program and of the programs that it has started and awaited. */
  readonly cpuSeconds: number;
  readonly exitCode: number | null;
  readonly output: string;
}

export const rowgate = path.resolve(import.meta.dirname, '../bin/rowgate.js');

const WATCH_MS = 20;

/**
 * Runs `rowgate` to its end in a separate process.
 * @param program the program of another checkout
 */
export async function runRowgate(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program = rowgate,
): Promise<ProgramRun> {
  const began = performance.now();
  const cpuBefore = childrenCpuSeconds();
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let peakMiB: number | undefined;
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  const watch = setInterval(async () => {
    peakMiB = (await peakOf(child.pid)) ?? peakMiB;
  }, WATCH_MS);
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(watch);
  const milliseconds = performance.now() - began;
  const cpuSeconds = childrenCpuSeconds() - cpuBefore;
  return { milliseconds, peakMiB, cpuSeconds, exitCode, output };
}

const TICKS_A_SECOND = 100;

/** The processor time of the ended child processes of this process. Linux only; NaN on other systems. */
function childrenCpuSeconds(): number {
  return timesOf('self').children;
}

function timesOf(pid: number | 'self') {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [own, system, children, childrenSystem] = fields.split(' ').slice(11, 15).map(Number);
    return {
      own: ((own ?? Number.NaN) + (system ?? Number.NaN)) / TICKS_A_SECOND,
      children: ((children ?? Number.NaN) + (childrenSystem ?? Number.NaN)) / TICKS_A_SECOND,
    };
  } catch {
    return { own: Number.NaN, children: Number.NaN };
  }
}

/** Returns the memory and the processor time of a running process. Linux only; NaN on other systems. */
export function processUse(pid: number | undefined) {
  const status = pid === undefined ? '' : readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return {
    residentMiB: mebibytes('VmRSS'),
    peakMiB: mebibytes('VmHWM'),
    cpuSeconds: pid === undefined ? Number.NaN : timesOf(pid).own,
  };
}

/** Returns a port on which nothing listens. */
export async function vacantPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('no port is vacant');
  return address.port;
}

async function peakOf(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
  return found === undefined ? undefined : Number(found) / 1024;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the value below which a share of the values lies; NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Formats values as `median (min..max)`. */
export function spread(values: readonly number[], digits = 0): string {
  const [min, max] = [quantile(values, 0), quantile(values, 1)];
  return `${median(values).toFixed(digits)} (${min.toFixed(digits)}..${max.toFixed(digits)})`;
}
