/*
 * Measures the console on a generated project of 300 tables and 20 roles: how fast each screen can be used and how much
 * it loads, with an empty cache, and what a page that stays open costs the server and Postgres. Targets: usable within a
 * second, less than 250 kB of compressed scripts and styles at first, and less than 1 % of a core of Postgres.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { signIn, type Visit } from './console/visit.ts';
import { type Contender, startRowgate, stopContenders } from './contender.ts';
import { secret, serverVersion, startBenchCluster } from './database.ts';
import { projectSql, writeProject } from './generated-project.ts';
import { processorTime } from './load/processor-time.ts';
import { table } from './load/table.ts';
import { rowgate, runRowgate, spread } from './measure.ts';
import { out, rounds, short } from './options.ts';
import { describeSetting, settingLines } from './setting.ts';

const size = { tables: 300, roles: 20 };
const openMs = short ? 5000 : 60_000;
/** A page that was just opened still loads. */
const settleMs = 3000;

const cluster = await startBenchCluster();
const contenders: Contender[] = [];
try {
  if (!existsSync('/usr/bin/chromium')) throw new Error('the benchmark needs /usr/bin/chromium');
  const metadata = path.join(cluster.folder, 'metadata');
  await writeProject(metadata, size);
  const owner = new pg.Client({ connectionString: cluster.ownerUrl });
  await owner.connect();
  await owner.query(projectSql(size));
  await owner.end();
  const environment = {
    ...{ DATABASE_URL: cluster.ownerUrl, ROWGATE_ADMIN_SECRET: secret, ROWGATE_CONSOLE: 'true' },
    ROWGATE_DATA_DIR: path.join(cluster.folder, 'data'),
  };
  const patience = ['--lock-seconds', '600'];
  const applied = await runRowgate(
    ['apply', '--yes', '--metadata', metadata, ...patience],
    environment,
  );
  if (applied.exitCode !== 0) throw new Error(applied.output);
  const logFile = path.join(cluster.folder, 'server.log');
  const server = await startRowgate(
    'gateway',
    { metadata, environment },
    { program: rowgate, logFile },
  );
  contenders.push(server);
  const postgres = await serverVersion(cluster.ownerUrl);
  const setting = describeSetting({ ...{ postgres, rounds, roundMs: openMs }, missing: {} });
  const use = await useOf(server, await cluster.postmaster());

  const visitor = await signIn(`http://127.0.0.1:${server.port}`, secret);
  try {
    const opened = new Map<string, Visit[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const screen of visitor.screens) {
        opened.set(screen, [...(opened.get(screen) ?? []), await visitor.visit(screen)]);
      }
    }
    await visitor.leave();
    const costs: [string, Use][] = [['no page', await use()]];
    for (const screen of visitor.screens) {
      await visitor.visit(screen);
      await delay(settleMs);
      costs.push([screen, await use()]);
    }
    const report = [
      '# The console',
      'For those who want to know how fast the console is, and what an open page costs. `npm run bench -- console` wrote this page, on 300 tables and 20 roles.',
      '## Limits',
      ...settingLines(setting),
      'The browser shared the processors, too. It loaded each screen with an empty cache.',
      '## Opening a screen',
      openTable(opened),
      '## A page that stays open',
      'Without other requests; the first line is the server with no page open.',
      `${costTable(costs)}\n`,
    ].join('\n\n');
    await mkdir(out, { recursive: true });
    await writeFile(path.join(out, 'console.md'), report);
    console.log(report);
  } finally {
    await visitor.close();
  }
} finally {
  stopContenders(contenders);
  await cluster.remove();
}

interface Use {
  readonly serverPercent: number;
  readonly postgresPercent: number;
}

/** Returns a function that measures the processor time of the server and of Postgres for a while. */
async function useOf({ process: child }: Contender, postmaster: number) {
  const times = async () => ({
    server: (await processorTime(child.pid ?? 0)) ?? Number.NaN,
    postgres: (await processorTime(postmaster)) ?? Number.NaN,
    at: performance.now(),
  });
  return async (): Promise<Use> => {
    const before = await times();
    await delay(openMs);
    const after = await times();
    // Microseconds of processor time per millisecond; a whole core has 1000.
    const percent = (used: number) => used / (after.at - before.at) / 10;
    return {
      serverPercent: percent(after.server - before.server),
      postgresPercent: percent(after.postgres - before.postgres),
    };
  };
}

function openTable(opened: ReadonlyMap<string, readonly Visit[]>): string {
  return table(
    ['screen', 'usable after ms', 'scripts and styles kB', 'other answers kB'],
    [...opened].map(([screen, visits]) => [
      screen,
      spread(visits.map(({ milliseconds }) => milliseconds)),
      spread(visits.map(({ codeBytes }) => codeBytes / 1000)),
      spread(visits.map(({ otherBytes }) => otherBytes / 1000)),
    ]),
  );
}

function costTable(costs: readonly (readonly [string, Use])[]): string {
  return table(
    ['screen', 'Node % of a core', 'Postgres % of a core'],
    costs.map(([screen, { serverPercent, postgresPercent }]) => [
      ...[screen, serverPercent.toFixed(2), postgresPercent.toFixed(2)],
    ]),
  );
}
