/*
 * Measures commands on a generated project of 300 tables and 20 roles, each in a separate process including the start of
 * Node. Targets: check below 3 s, plan below 5 s, each below 500 MB.
 */
import path from 'node:path';
import pg from 'pg';
import { startBenchCluster } from './database.ts';
import { projectSql, writeProject } from './generated-project.ts';
import { median, type ProgramRun, runRowgate, spread } from './measure.ts';

const size = { tables: 300, roles: 20 };
const rounds = Number(process.env.ROWGATE_BENCH_ROUNDS ?? 5);

const cluster = await startBenchCluster();
try {
  const metadata = path.join(cluster.folder, 'metadata');
  await writeProject(metadata, size);
  const owner = new pg.Client({ connectionString: cluster.ownerUrl });
  await owner.connect();
  await owner.query(projectSql(size));
  await owner.end();
  const env = {
    DATABASE_URL: cluster.ownerUrl,
    ROWGATE_DATA_DIR: path.join(cluster.folder, 'data'),
  };
  const command = (name: string, ...more: string[]) =>
    runRowgate([name, '--metadata', metadata, ...more], env);
  console.log(`${size.tables} tables, ${size.roles} roles, ${rounds} rounds`);
  report('check, nothing applied yet', await repeated(() => command('check')), [0]);
  report('plan of everything', await repeated(() => command('plan')), [1]);
  report('apply of everything', [await command('apply', '--yes')], [0]);
  report('check', await repeated(() => command('check')), [0]);
  report('plan of nothing', await repeated(() => command('plan')), [0]);
  report('apply of nothing', await repeated(() => command('apply', '--yes')), [0]);
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
  console.log(`  ${name.padEnd(28)}${seconds.padEnd(20)} s   peak ${memory.toFixed(0)} MiB`);
}
