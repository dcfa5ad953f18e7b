import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The time and memory of one run of a program. */
export interface ProgramRun {
  readonly milliseconds: number;
  /** Peak resident memory in MiB; undefined on systems other than Linux. */
  readonly peakMiB: number | undefined;
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
  return { milliseconds: performance.now() - began, peakMiB, exitCode, output };
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
