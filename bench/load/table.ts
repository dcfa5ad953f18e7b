import { median, spread } from '../measure.ts';
import type { Result } from './rounds.ts';
import type { Figures } from './trial.ts';

const columns: readonly (readonly [string, (rounds: readonly Figures[]) => string])[] = [
  ['requests/s', (rounds) => spread(rounds.map(({ perSecond }) => perSecond))],
  ['p50 ms', (rounds) => median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(1)],
  ['p99 ms', (rounds) => median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1)],
  ['Node µs', (rounds) => measured(rounds.map(({ serverUs }) => serverUs))],
  ['Postgres µs', (rounds) => measured(rounds.map(({ postgresUs }) => postgresUs))],
];

/** Returns a Markdown table with a row for each result: medians of the rounds, and the smallest and largest value. */
export function resultTable(results: readonly Result[]): string {
  return table(
    ['operation', 'connections', 'contender', ...columns.map(([title]) => title)],
    results.map(({ operation, connections, contender, rounds }) => [
      ...[operation, String(connections), contender],
      ...columns.map(([, show]) => show(rounds)),
    ]),
  );
}

/** Formats a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A contender without a process of its own, or a system without /proc, has no processor time. */
function measured(times: readonly (number | undefined)[]): string {
  const found = times.filter((time) => time !== undefined);
  return found.length === 0 ? '–' : spread(found);
}
