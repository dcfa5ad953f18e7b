/*
 * Compares `/v1/graphql` of Rowgate with hand-written endpoints, with pgbench and with unmodified PostGraphile, and
 * Rowgate's endpoint for PostGraphile's dialect with the latter. All run the same operations on the same rows with the
 * same role, in turns. Takes about a quarter of an hour; docs/contributing/benchmarks.md lists the settings.
 */
import { type Contender, stopContenders } from './contender.ts';
import {
  type BenchDatabase,
  makeBenchDatabase,
  serverVersion,
  startBenchCluster,
} from './database.ts';
import { LoadGenerator } from './load/load.ts';
import { ROUND_MS, runRounds } from './load/rounds.ts';
import type { Trial } from './load/trial.ts';
import * as options from './options.ts';
import { describeSetting } from './setting.ts';
import { contenderNames, poolSize, startEndpoints, tenant } from './throughput/contenders.ts';
import { operations } from './throughput/operations.ts';
import { findPgbench, type Pgbench } from './throughput/pgbench.ts';
import { chosen, connectionsOf, trialsOf } from './throughput/plan.ts';
import { writeReport } from './throughput/report.ts';

const names = chosen('contender', contenderNames, options.contenderNames);
const operationNames = operations.map(({ name }) => name);
const selected = chosen('operation', operationNames, options.operationNames);

const cluster = await startBenchCluster();
const generator = new LoadGenerator();
const contenders: Contender[] = [];
try {
  const database = await makeBenchDatabase(cluster);
  const postmaster = await cluster.postmaster();
  const endpoints = await startEndpoints(names, cluster, database, contenders);
  const pgbench = names.has('pgbench') ? pgbenchOn(database, postmaster) : undefined;
  const missing = names.has('pgbench') && !pgbench ? { pgbench: 'it is not installed' } : {};
  const postgres = await serverVersion(database.ownerUrl);
  const setting = describeSetting({
    ...{ postgres, rounds: options.rounds, roundMs: ROUND_MS, missing },
  });
  const field = { names, endpoints, pgbench, generator, postmaster };
  const groups: (readonly Trial[])[] = [];
  for (const operation of operations.filter(({ name }) => selected.has(name))) {
    const connections = options.connections ?? connectionsOf(operation);
    groups.push(...(await trialsOf(operation, connections, field)));
  }
  console.log(`${groups.flat().length} trials, ${options.rounds} rounds of ${ROUND_MS} ms`);
  await writeReport(options.out, setting, await runRounds(groups));
} finally {
  stopContenders(contenders);
  generator.stop();
  await cluster.remove();
}

function pgbenchOn(database: BenchDatabase, postmaster: number): Pgbench | undefined {
  const program = findPgbench();
  const { gatewayUrl: url, rolePrefix } = database;
  const { folder } = cluster;
  const role = `${rolePrefix}tenant`;
  return program ? { program, url, role, tenant, poolSize, folder, postmaster } : undefined;
}
