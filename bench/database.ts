import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { applyMetadata } from '../permissions/index.ts';
import { startEmbedded } from '../server/db/embedded/start-embedded.ts';
import { withLogin } from '../server/db/url.ts';

/** An empty database in a separate cluster of the benchmark. */
export interface BenchCluster {
  readonly ownerUrl: string;
  /** A folder for files, which is removed with the cluster. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** The database of the throughput benchmark, to which data and rules were added. */
export interface BenchDatabase {
  readonly ownerUrl: string;
  readonly gatewayUrl: string;
  readonly rolePrefix: string;
  remove(): Promise<void>;
}

const password = 'benchmark-gateway-password';

export const metadata = path.join(import.meta.dirname, 'metadata');

export async function startBenchCluster(): Promise<BenchCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-bench-'));
  // When this process runs as root, Postgres runs as another user, who must be able to enter this folder.
  await chmod(folder, 0o711);
  const cluster = await startEmbedded({
    dataDir: path.join(folder, 'cluster'),
    logger: pino({ level: 'warn' }),
    durable: false,
  });
  return {
    ownerUrl: cluster.ownerUrl,
    folder,
    remove: async () => {
      await cluster.stop();
      await rm(cluster.folder, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function makeBenchDatabase(): Promise<BenchDatabase> {
  const cluster = await startBenchCluster();
  const owner = new pg.Client({ connectionString: cluster.ownerUrl });
  await owner.connect();
  try {
    await owner.query(await readFile(path.join(import.meta.dirname, 'schema.sql'), 'utf8'));
    const { rows } = await owner.query<{ name: string }>('select current_database() as name');
    await applyMetadata(owner, { metadata, headerPrefix: 'X-Gql-', password });
    const rolePrefix = `rowgate_${rows[0]?.name}_`;
    return {
      ownerUrl: cluster.ownerUrl,
      rolePrefix,
      gatewayUrl: withLogin(cluster.ownerUrl, `${rolePrefix}gateway_login`, password),
      remove: cluster.remove,
    };
  } finally {
    await owner.end();
  }
}
