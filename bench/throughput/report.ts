import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { type Result, ROUND_MS } from '../load/rounds.ts';
import { resultTable } from '../load/table.ts';
import { rounds } from '../options.ts';
import { chart } from './chart.ts';
import { ratioTable } from './ratios.ts';

/** Where and when figures were measured. */
export interface Setting {
  readonly date: string;
  readonly commit: string;
  readonly processors: string;
  readonly node: string;
  readonly postgres: string;
  readonly rounds: number;
  readonly roundMs: number;
  /** The load of the machine before the measurement. */
  readonly loadBefore: number;
  /** Contenders that could not be measured, with the reason. */
  readonly missing: Readonly<Record<string, string>>;
}

export function describeSetting(postgres: string, missing: Setting['missing']): Setting {
  const found = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: currentCommit(),
    processors: `${found.length} × ${found[0]?.model ?? 'unknown'}`,
    ...{ node: process.version, postgres, rounds, roundMs: ROUND_MS },
    loadBefore: loadavg()[0] ?? 0,
    missing,
  };
}

function currentCommit(): string {
  try {
    const git = ['rev-parse', '--short', 'HEAD'];
    return execFileSync('git', git, { encoding: 'utf8', cwd: import.meta.dirname }).trim();
  } catch {
    return 'unknown';
  }
}

/** Writes throughput.json, throughput.md and throughput.svg, and prints the tables. */
export async function writeReport(
  folder: string,
  setting: Setting,
  results: readonly Result[],
): Promise<void> {
  const markdown = reportText(setting, results);
  await mkdir(folder, { recursive: true });
  const write = (ending: string, text: string) =>
    writeFile(path.join(folder, `throughput.${ending}`), text);
  await write('json', `${JSON.stringify({ setting, results }, null, 2)}\n`);
  await write('md', markdown);
  await write('svg', chart(setting, results));
  console.log(`${markdown}\nwritten to ${folder}`);
}

export function reportText(setting: Setting, results: readonly Result[]): string {
  const { date, commit, processors, node, postgres, roundMs, loadBefore, missing } = setting;
  const absent = Object.entries(missing).map(
    ([name, reason]) => `Not measured: ${name}, ${reason}.`,
  );
  return [
    '# Throughput',
    'For those who compare Rowgate with other servers. `npm run bench -- throughput` wrote this page; [Benchmarks](benchmarks.md) describes the contenders.',
    '![Processor time per request of each contender; the table below has the figures](throughput.svg)',
    '## Limits',
    `Measured on ${date} at commit ${commit}: ${processors}, Node ${node}, Postgres ${postgres}, ${setting.rounds} rounds of ${roundMs} ms, load of the machine before ${loadBefore.toFixed(1)}. All servers, Postgres and the load generator shared these processors.`,
    ...absent,
    '## Results',
    'Each figure is the median of the rounds (smallest..largest). The times in µs are processor time per request, of the server in Node and of all processes of Postgres.',
    resultTable(results),
    '## Ratios',
    'Quotients within each round; the contender is `gateway` unless the column names another one.',
    `${ratioTable(results)}\n`,
  ].join('\n\n');
}
