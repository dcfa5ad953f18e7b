import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { processorTime } from '../load/processor-time.ts';
import { rotated } from '../load/rounds.ts';

const run = promisify(execFile);

export const statements = {
  insert: (table: string) =>
    `\\set tenant random(1, 1000)
insert into ${table} (tenant_id, name, amount) values (:tenant, 'new', 1);`,
  update: (table: string) =>
    `\\set id random(1, 50000)
update ${table} set amount = amount + 1 where id = :id;`,
} as const;

export type Statement = keyof typeof statements;

/** The mean latency and processor time of a statement on each of two tables. */
export interface PriceFigures {
  readonly quietMs: number;
  readonly liveMs: number;
  readonly quietUs: number;
  readonly liveUs: number;
}

export interface PriceOptions {
  readonly program: string;
  readonly url: string;
  readonly folder: string;
  readonly seconds: number;
  readonly postmaster: number;
  /** The number of the round, which decides which table comes first. */
  readonly round: number;
}

const unknown = { ms: Number.NaN, us: Number.NaN };

/** Measures one statement on the live table and on the same table that is not live. */
export async function priceOf(statement: Statement, options: PriceOptions): Promise<PriceFigures> {
  const found = { item: unknown, quiet_item: unknown };
  for (const table of rotated(['item', 'quiet_item'] as const, options.round)) {
    found[table] = await timeOf(statements[statement](table), options);
  }
  const { item: live, quiet_item: quiet } = found;
  return { quietMs: quiet.ms, liveMs: live.ms, quietUs: quiet.us, liveUs: live.us };
}

async function timeOf(script: string, { program, url, folder, seconds, postmaster }: PriceOptions) {
  const file = path.join(folder, 'price.sql');
  await writeFile(file, script);
  const before = await processorTime(postmaster);
  const { stdout } = await run(program, [
    ...['--no-vacuum', '--protocol', 'prepared', '--file', file, '--client', '1'],
    ...['--time', String(seconds), url],
  ]);
  const after = await processorTime(postmaster);
  const { transactions, perSecond } = resultOf(stdout);
  const used = before === undefined || after === undefined ? Number.NaN : after - before;
  return { ms: 1000 / perSecond, us: used / transactions };
}

/** Reads the report of pgbench. @throws Error for any other text */
export function resultOf(report: string): { transactions: number; perSecond: number } {
  const transactions = Number(/transactions actually processed: (\d+)/.exec(report)?.[1]);
  const perSecond = Number(/^tps = ([\d.]+) \(without initial connection/m.exec(report)?.[1]);
  if (!(transactions > 0 && perSecond > 0)) throw new Error(`pgbench reported:\n${report}`);
  return { transactions, perSecond };
}
