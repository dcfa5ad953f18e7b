import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { parseConfig } from '../server/config/config.ts';
import { startEmbedded } from '../server/db/embedded/start-embedded.ts';
import { resolveLogin } from '../server/db/logins/logins.ts';
import { withDatabase } from '../server/db/url.ts';
import { parentOf } from './load/processor-time.ts';
import { runRowgate } from './measure.ts';

/** A separate Postgres server of the benchmark, with an empty database. */
export interface BenchCluster {
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  /** A folder for files, which is removed with the cluster. */
  readonly folder: string;
  /** Returns the process that has started all others of Postgres. */
  postmaster(): Promise<number>;
  /** Stops Postgres and starts it again on the same port. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** A database with tables, rows and rules. */
export interface BenchDatabase {
  readonly ownerUrl: string;
  readonly gatewayUrl: string;
  readonly rolePrefix: string;
  readonly metadata: string;
  /** The environment in which commands of this checkout use the database. */
  readonly environment: Readonly<Record<string, string>>;
}

export const secret = 'benchmark-secret-of-at-least-32-characters';

const thisCheckout = path.resolve(import.meta.dirname, '..');

export async function startBenchCluster(): Promise<BenchCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-bench-'));
  // When this process runs as root, Postgres runs as another user, who must be able to enter this folder.
  await chmod(folder, 0o711);
  const options = {
    dataDir: path.join(folder, 'cluster'),
    logger: pino({ level: 'warn' }),
    durable: false,
  };
  let cluster = await startEmbedded(options);
  return {
    ownerUrl: cluster.ownerUrl,
    superuserUrl: cluster.superuserUrl,
    folder,
    postmaster: () =>
      withClient(cluster.ownerUrl, async (client) => {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        return parentOf(rows[0]?.pid ?? Number.NaN);
      }),
    restart: async () => {
      await cluster.stop();
      cluster = await startEmbedded(options);
    },
    remove: async () => {
      await cluster.stop();
      await rm(cluster.folder, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Makes the database of the throughput benchmark with the command of a checkout.
 * @param checkout its folder; each checkout needs a database of its own, because it compiles the rules in its own way
 */
export async function makeBenchDatabase(
  cluster: BenchCluster,
  checkout = thisCheckout,
): Promise<BenchDatabase> {
  return fillDatabase(cluster, {
    name: checkout === thisCheckout ? 'bench' : 'bench_before',
    schema: path.join(import.meta.dirname, 'schema.sql'),
    metadata: path.join(checkout, 'bench', 'metadata'),
    program: path.join(checkout, 'bin', 'rowgate.js'),
  });
}

interface DatabaseOptions {
  readonly name: string;
  /** The SQL file that makes tables and rows. */
  readonly schema: string;
  readonly metadata: string;
  /** The program that applies the rules; absent: that of this checkout. */
  readonly program?: string;
}

/** Makes a database, and applies rules to its tables. */
export async function fillDatabase(
  cluster: BenchCluster,
  { name, schema, metadata, program }: DatabaseOptions,
): Promise<BenchDatabase> {
  await runSql(cluster.superuserUrl, `create database ${name} owner rowgate_owner`);
  const ownerUrl = withDatabase(cluster.ownerUrl, name);
  await runSql(ownerUrl, await readFile(schema, 'utf8'));
  const environment = {
    ...{ DATABASE_URL: ownerUrl, ROWGATE_ADMIN_SECRET: secret },
    ROWGATE_DATA_DIR: path.join(cluster.folder, `data-${name}`),
  };
  await applyRules(metadata, environment, program);
  const { config } = parseConfig(environment, '/');
  const { url: gatewayUrl } = await resolveLogin(config, ownerUrl, 'gateway');
  return { ownerUrl, gatewayUrl, rolePrefix: `rowgate_${name}_`, metadata, environment };
}

/** @param program the program of another checkout */
export async function applyRules(
  metadata: string,
  environment: Readonly<Record<string, string>>,
  program?: string,
): Promise<void> {
  const run = await runRowgate(['apply', '--yes', '--metadata', metadata], environment, program);
  if (run.exitCode !== 0) throw new Error(`apply ended with ${run.exitCode}:\n${run.output}`);
}

function runSql(url: string, text: string): Promise<unknown> {
  return withClient(url, (client) => client.query(text));
}

export async function serverVersion(url: string): Promise<string> {
  const { rows } = await withClient(url, (client) => client.query('show server_version'));
  return rows[0].server_version;
}

/** Connects to a database for one use. */
export async function withClient<Result>(
  url: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  // The soak restarts Postgres. A running query then rejects, and the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
