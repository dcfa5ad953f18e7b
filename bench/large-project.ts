/*
 * Measures commands on a generated project of 300 tables and 20 roles, each in a separate process including the start of
 * Node, and a server that serves the project. Targets: check below 2 s, plan and apply of nothing below 3 s; diff (of a
 * condition that most rules use), matrix, test and explain below 5 s and 500 MiB; a server that serves after less than
 * 4 s and takes less than 512 MiB after all roles were used and have asked for introspection. The schema of one role
 * must not delay other requests by more than 50 ms.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { startBenchCluster } from './database.ts';
import { explained, projectSql, writeProject } from './generated-project.ts';
import { measureServer, type ServerFigures } from './large/measure-server.ts';
import { median, type ProgramRun, runRowgate, spread } from './measure.ts';

const size = { tables: 300, roles: 20 };
const rounds = Number(process.env.ROWGATE_BENCH_ROUNDS ?? 5);

/** The lines of the report on servers: title, figure, unit and digits. */
const lines = [
  ['serving after', 'upSeconds', 's', 2],
  ['  processor time', 'upCpuSeconds', 's', 2],
  ['  memory', 'upMiB', 'MiB', 0],
  ['all roles used: memory', 'rolesMiB', 'MiB', 0],
  ['  peak', 'rolesPeakMiB', 'MiB', 0],
  ['  processor time', 'rolesCpuSeconds', 's', 2],
  ['  slowest first request', 'firstRequestMs', 'ms', 0],
  ['p99 of 200 requests a second', 'steadyP99Ms', 'ms', 1],
  ['  while schemas are built', 'buildingP99Ms', 'ms', 1],
  ['largest event-loop delay', 'steadyDelayMs', 'ms', 1],
  ['  while schemas are built', 'buildingDelayMs', 'ms', 1],
  ['slowest introspection', 'introspectionMs', 'ms', 0],
  ['  peak memory then', 'introspectedPeakMiB', 'MiB', 0],
] as const satisfies readonly (readonly [string, keyof ServerFigures, string, number])[];

const cluster = await startBenchCluster();
try {
  const metadata = path.join(cluster.folder, 'metadata');
  await writeProject(metadata, size);
  const owner = new pg.Client({ connectionString: cluster.ownerUrl });
  await owner.connect();
  await owner.query(projectSql(size));
  await owner.query(explained.sql);
  await owner.end();
  const env = {
    DATABASE_URL: cluster.ownerUrl,
    ROWGATE_DATA_DIR: path.join(cluster.folder, 'data'),
  };
  const command = (...args: string[]) => runRowgate([...args, '--metadata', metadata], env);
  console.log(`${size.tables} tables, ${size.roles} roles, ${rounds} rounds`);
  report('check, nothing applied yet', await repeated(() => command('check')), [0]);
  report('plan of everything', await repeated(() => command('plan')), [1]);
  report('apply of everything', [await command('apply', '--yes')], [0]);
  report('check', await repeated(() => command('check')), [0]);
  report('plan of nothing', await repeated(() => command('plan')), [0]);
  report('apply of nothing', await repeated(() => command('apply', '--yes')), [0]);
  report('matrix', await repeated(() => command('matrix')), [0]);
  report('matrix as a page', await repeated(() => command('matrix', '--html')), [0]);
  report('test', await repeated(() => command('test')), [0]);
  const { role, table, key } = explained;
  const variables = explained.variables.flatMap((one) => ['--variable', one]);
  const explain = (...args: string[]) => repeated(() => command('explain', ...args));
  report('explain rule', await explain('rule', role, table, 'update'), [0]);
  report(
    'explain access',
    await explain('access', role, table, 'delete', '--key', `id=${key}`, ...variables),
    [0],
  );
  const document = path.join(cluster.folder, 'document.graphql');
  await writeFile(document, explained.query);
  report('explain query', await explain('query', document, '--role', role, ...variables), [0]);
  const narrower = path.join(cluster.folder, 'narrower');
  await writeProject(
    narrower,
    size,
    '{ tenant_id: { _eq: X-Gql-Tenant-Id }, status: { _neq: locked } }',
  );
  report(
    'diff',
    await repeated(() => command('diff', narrower, metadata, '--count-seconds', '0')),
    [1],
  );
  const servers: ServerFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    servers.push(await measureServer(metadata, env, size.roles));
  }
  reportServers(servers);
} finally {
  await cluster.remove();
}

async function repeated(run: () => Promise<ProgramRun>): Promise<readonly ProgramRun[]> {
  const runs: ProgramRun[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await run());
  return runs;
}

function report(name: string, runs: readonly ProgramRun[], expected: readonly number[]): void {
  const odd = runs.find((run) => !expected.includes(run.exitCode ?? -1));
  if (odd) throw new Error(`${name} ended with ${odd.exitCode}:\n${odd.output.slice(-2000)}`);
  const seconds = spread(
    runs.map((run) => run.milliseconds / 1000),
    2,
  );
  const memory = median(runs.map((run) => run.peakMiB ?? Number.NaN));
  const processor = spread(
    runs.map((run) => run.cpuSeconds),
    2,
  );
  console.log(
    `  ${name.padEnd(28)}${seconds.padEnd(20)} s   processor ${processor.padEnd(20)} s   peak ${memory.toFixed(0)} MiB`,
  );
}

function reportServers(servers: readonly ServerFigures[]): void {
  for (const [title, figure, unit, digits] of lines) {
    const values = spread(
      servers.map((one) => one[figure]),
      digits,
    );
    console.log(`  ${title.padEnd(32)}${values} ${unit}`);
  }
}
