import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '../database.ts';
import type { Rates } from '../load/load.ts';
import type { Target } from '../load/target.ts';
import { type Trial, withTimes } from '../load/trial.ts';
import { quantile } from '../measure.ts';
import { refuseDifference } from './compare-answers.ts';
import type { Operation } from './operations.ts';

const run = promisify(execFile);

/** Returns the program: that of PATH or of a Debian package; undefined when there is none. */
export function findPgbench(): string | undefined {
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  ];
  return folders.map((folder) => path.join(folder, 'pgbench')).find((file) => existsSync(file));
}

/** How pgbench runs operations: the hand-written SQL after the same settings, under one Sync. */
export interface Pgbench {
  readonly program: string;
  readonly url: string;
  readonly role: string;
  readonly tenant: string;
  /** The number of database connections that each server has. */
  readonly poolSize: number;
  readonly folder: string;
  readonly postmaster: number;
}

function settingsOf({ writes }: Operation, { role, tenant }: Pgbench): string {
  return `select set_config('transaction_read_only', '${writes ? 'off' : 'on'}', true), set_config('role', '${role}', true),
    set_config('gql.tenant_id', '${tenant}', true), set_config('statement_timeout', '15000', true),
    set_config('search_path', 'pg_catalog, pg_temp', true)`;
}

function statementOf({ sql, parameters }: Operation): string {
  return sql.replaceAll(/\$(\d)/g, (_, number) => parameters[Number(number) - 1] ?? '');
}

export function scriptOf(operation: Operation, pgbench: Pgbench): string {
  return [
    `\\set turn random(0, ${operation.variants - 1})`,
    '\\startpipeline',
    `${settingsOf(operation, pgbench)};`,
    `${statementOf(operation)};`,
    '\\endpipeline\n',
  ].join('\n');
}

/** Runs the statement of the script for each turn. @throws Error when a target expects other values */
export async function comparePgbench(
  operation: Operation,
  pgbench: Pgbench,
  { exchanges }: Target,
): Promise<void> {
  await withClient(pgbench.url, async (client) => {
    for (const [turn, { opening }] of exchanges.entries()) {
      await client.query('begin');
      await client.query(settingsOf(operation, pgbench));
      const text = statementOf(operation).replaceAll(/(?<!:):turn\b/g, String(turn));
      const { rows } = await client.query<string[]>({ text, rowMode: 'array' });
      await client.query('commit');
      refuseDifference(`${operation.name}: pgbench`, opening, rows[0]?.[0] ?? '');
    }
  });
}

/** Makes a trial in which pgbench sends the statements itself, without a server before Postgres. */
export function pgbenchTrial(
  name: Omit<Trial, 'run'>,
  operation: Operation,
  pgbench: Pgbench,
): Trial {
  const { program, url, folder, poolSize, postmaster } = pgbench;
  const script = path.join(folder, `${operation.name.replaceAll(' ', '-')}.sql`);
  const log = path.join(folder, 'pgbench-log');
  const clients = Math.min(name.connections, poolSize);
  const measure = async (milliseconds: number): Promise<Rates> => {
    const seconds = Math.ceil(milliseconds / 1000);
    await run(program, [
      ...['--no-vacuum', '--protocol', 'prepared', '--file', script, '--log'],
      ...['--log-prefix', log, '--client', String(clients), '--time', String(seconds), url],
    ]);
    const times = await takeTimes(log);
    const [p50Ms, p99Ms] = [quantile(times, 0.5), quantile(times, 0.99)];
    return { requests: times.length, perSecond: times.length / seconds, p50Ms, p99Ms };
  };
  return {
    ...name,
    run: async (milliseconds) => {
      await writeFile(script, scriptOf(operation, pgbench));
      return withTimes({ postgres: postmaster }, () => measure(milliseconds));
    },
  };
}

/** Reads and removes the log of transactions. Returns the milliseconds of each. */
async function takeTimes(prefix: string): Promise<readonly number[]> {
  const times: number[] = [];
  for await (const file of glob(`${prefix}.*`)) {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    // The third field is the time in microseconds (https://www.postgresql.org/docs/current/pgbench.html).
    times.push(...lines.map((line) => Number(line.split(' ')[2]) / 1000));
    await rm(file);
  }
  return times;
}
