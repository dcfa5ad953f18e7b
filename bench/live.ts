/*
 * Measures live queries from the commit of a row to the message of each subscriber, beside polling in the way of Hasura;
 * the memory and processor time of idle subscribers; and the time that a live table adds to a write. Takes about a
 * quarter of an hour. With `--short` it only checks that the benchmark works.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { withDatabase } from '../server/db/url.ts';
import { type Contender, startContender, startRowgate, stopContenders } from './contender.ts';
import { fillDatabase, secret, serverVersion, startBenchCluster } from './database.ts';
import {
  type AudienceFigures,
  type AudienceTrial,
  type Bench,
  type IdleFigures,
  nameOf,
  runAudience,
  runIdle,
} from './live/audience-trial.ts';
import { Clients } from './live/clients.ts';
import { planOf, refuseFewFiles, sizeOf } from './live/plan.ts';
import { metricsToken } from './live/refetches.ts';
import { writeReport } from './live/report.ts';
import { type PriceFigures, priceOf, type Statement } from './live/write-price.ts';
import { Writer } from './live/writer.ts';
import { rotated } from './load/rounds.ts';
import { processUse, rowgate } from './measure.ts';
import { out, rounds, short } from './options.ts';
import { describeSetting } from './setting.ts';
import { findPgbench } from './throughput/pgbench.ts';

const folder = path.join(import.meta.dirname, 'live');
const plan = planOf(short);
const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
refuseFewFiles(limits, Math.max(...[plan.shared, plan.narrowed, plan.idle].map(sizeOf)));

/** More sockets than by default, all of one address. */
const manySockets = {
  ROWGATE_MAX_CONNECTIONS: '20000',
  ROWGATE_MAX_SOCKETS: '20000',
  ROWGATE_MAX_SOCKETS_PER_ADDRESS: '20000',
  ROWGATE_METRICS_TOKEN: metricsToken,
};

const cluster = await startBenchCluster();
const clients = new Clients();
const contenders: Contender[] = [];
const closers: (() => Promise<unknown>)[] = [cluster.remove];
try {
  const database = await fillDatabase(cluster, {
    ...{ name: 'bench_live', schema: path.join(folder, 'schema.sql') },
    metadata: path.join(folder, 'metadata'),
  });
  // Writes and polls run without row security.
  const url = withDatabase(cluster.superuserUrl, 'bench_live');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  closers.push(() => client.end());
  const postmaster = await cluster.postmaster();
  const bench: Bench = { plan, clients, writer: new Writer(client), postmaster };
  const program = findPgbench();
  const setting = describeSetting({
    ...{ postgres: await serverVersion(url), rounds, roundMs: plan.roundMs },
    missing: program === undefined ? { 'the price of a write': 'pgbench is not installed' } : {},
  });

  const startGateway = async (name: string) => {
    const environment = { ...database.environment, ...manySockets };
    const logFile = path.join(cluster.folder, `${name}.log`);
    const given = { metadata: database.metadata, environment };
    const server = await startRowgate(name, given, { program: rowgate, logFile });
    contenders.push(server);
    return server;
  };
  const gateway = await startGateway('gateway');
  const polling = await startContender('polling', { gatewayUrl: url, secret, poolSize: 10 });
  contenders.push(polling);
  const { shared, narrowed, idle: many } = plan;
  const trials: readonly AudienceTrial[] = [
    { name: nameOf(shared), server: gateway, audience: shared, hasMetrics: true },
    { name: nameOf(narrowed), server: gateway, audience: narrowed, hasMetrics: true },
    {
      name: `${nameOf(shared)}, polled each second`,
      ...{ server: polling, audience: shared, hasMetrics: false },
    },
  ];
  const audiences: Record<string, AudienceFigures[]> = Object.fromEntries(
    trials.map(({ name }) => [name, []]),
  );
  const prices: Record<Statement, PriceFigures[]> = { insert: [], update: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const trial of rotated(trials, round)) {
      audiences[trial.name]?.push(await runAudience(trial, bench));
    }
    for (const statement of ['insert', 'update'] as const) {
      if (program === undefined) continue;
      const options = { program, url, folder: cluster.folder, postmaster, round };
      prices[statement].push(
        await priceOf(statement, { ...options, seconds: plan.pgbenchSeconds }),
      );
    }
    console.log(`round ${round + 1} of ${rounds} is over`);
  }
  stopContenders(contenders.splice(0));

  const waiting = await startGateway('idle');
  await clients.open(waiting.port, many);
  const figures: IdleFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    figures.push(await runIdle(waiting, bench, () => processUse(waiting.process.pid).residentMiB));
  }
  await clients.close();
  const idle = { [nameOf(many)]: figures };
  await writeReport(out, setting, { audiences, idle, prices });
} finally {
  clients.stop();
  stopContenders(contenders);
  for (const close of closers.reverse()) await close();
}
