import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { table } from '../load/table.ts';
import { median, spread } from '../measure.ts';
import { type Setting, settingLines } from '../setting.ts';
import type { AudienceFigures, IdleFigures } from './audience-trial.ts';
import type { PriceFigures } from './write-price.ts';

/** The figures of all rounds, by the name of the trial. */
export interface Results {
  readonly audiences: Rounds<AudienceFigures>;
  readonly idle: Rounds<IdleFigures>;
  readonly prices: Rounds<PriceFigures>;
}

type Rounds<Figures> = Readonly<Record<string, readonly Figures[]>>;

/** A column of a table: its title, the value of a round, and the number of decimals. */
type Column<Figures> = readonly [string, (figures: Figures) => number, number?];

const used: readonly Column<{ serverPercent: number; postgresPercent: number }>[] = [
  ['Node % of a core', ({ serverPercent }) => serverPercent, 1],
  ['Postgres % of a core', ({ postgresPercent }) => postgresPercent, 1],
];

const audienceColumns: readonly Column<AudienceFigures>[] = [
  ['p50 ms', ({ p50Ms }) => p50Ms, 1],
  ['p99 ms', ({ p99Ms }) => p99Ms, 1],
  ['max ms', ({ maxMs }) => maxMs, 1],
  ['messages/s', ({ messagesPerSecond }) => messagesPerSecond],
  ['fetches per write', ({ refetchesPerWrite = Number.NaN }) => refetchesPerWrite, 2],
  ...used,
];

const idleColumns: readonly Column<IdleFigures>[] = [
  ['resident MiB', ({ residentMiB }) => residentMiB],
  ...used,
];

const priceColumns: readonly Column<PriceFigures>[] = [
  ['not live, ms', ({ quietMs }) => quietMs, 3],
  ['live, ms', ({ liveMs }) => liveMs, 3],
  ['difference, ms', ({ quietMs, liveMs }) => liveMs - quietMs, 3],
  ['difference, µs of Postgres', ({ quietUs, liveUs }) => liveUs - quietUs],
];

/** Writes live.json and live.md, and prints the tables. */
export async function writeReport(
  folder: string,
  setting: Setting,
  results: Results,
): Promise<void> {
  const markdown = reportText(setting, results);
  await mkdir(folder, { recursive: true });
  const json = `${JSON.stringify({ setting, results }, null, 2)}\n`;
  await writeFile(path.join(folder, 'live.json'), json);
  await writeFile(path.join(folder, 'live.md'), markdown);
  console.log(`${markdown}\nwritten to ${folder}`);
}

export function reportText(setting: Setting, { audiences, idle, prices }: Results): string {
  return [
    '# Live queries',
    'For those who want to know how fast subscriptions are, and what they cost. `npm run bench -- live` wrote this page; [Benchmarks](benchmarks.md#read-the-live-queries) describes the trials.',
    '## Limits',
    ...settingLines(setting),
    'Each figure is the median of the rounds (smallest..largest).',
    '## From commit to message',
    roundsTable('live queries × subscribers', audiences, audienceColumns),
    '## Idle subscribers',
    roundsTable('live queries × subscribers', idle, idleColumns),
    '## The price of a write',
    `${roundsTable('one row, one client', prices, priceColumns)}\n`,
  ].join('\n\n');
}

function roundsTable<Figures>(
  title: string,
  rounds: Rounds<Figures>,
  columns: readonly Column<Figures>[],
): string {
  return table(
    [title, ...columns.map(([name]) => name)],
    Object.entries(rounds).map(([name, figures]) => [
      name,
      ...columns.map(([, figureOf, digits]) => cell(figures.map(figureOf), digits)),
    ]),
  );
}

/** A figure that a server or a system does not have is shown as a dash. */
function cell(values: readonly number[], digits: number | undefined): string {
  return Number.isNaN(median(values)) ? '–' : spread(values, digits);
}
