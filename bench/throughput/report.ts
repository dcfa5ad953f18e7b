import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Result } from '../load/rounds.ts';
import { resultTable } from '../load/table.ts';
import { type Setting, settingLines } from '../setting.ts';
import { chart } from './chart.ts';
import { ratioTable } from './ratios.ts';

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
  return [
    '# Throughput',
    'For those who compare Rowgate with other servers. `npm run bench -- throughput` wrote this page; [Benchmarks](benchmarks.md) describes the contenders.',
    '![Processor time per request of each contender; the table below has the figures](throughput.svg)',
    '## Limits',
    ...settingLines(setting),
    '## Results',
    'Each figure is the median of the rounds (smallest..largest). The times in µs are processor time per request, of the server in Node and of all processes of Postgres.',
    resultTable(results),
    '## Ratios',
    'Quotients within each round; the contender is `gateway` unless the column names another one.',
    `${ratioTable(results)}\n`,
  ].join('\n\n');
}
