import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { applyMetadata } from '../permissions/index.ts';
import { startEmbedded } from '../server/db/embedded/start-embedded.ts';
import { withLogin } from '../server/db/url.ts';

/** A cluster of the benchmark's own, with its data and rules. */
export interface BenchDatabase {
  readonly gatewayUrl: string;
  readonly rolePrefix: string;
  remove(): Promise<void>;
}

const password = 'benchmark-gateway-password';

export const metadata = path.join(import.meta.dirname, 'metadata');

export async function makeBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'rowgate-bench-'));
  // As root the cluster runs as another user, who must be able to pass through.
  await chmod(dataDir, 0o711);
  const cluster = await startEmbedded({ dataDir, logger: pino({ level: 'warn' }), durable: false });
  const owner = new pg.Client({ connectionString: cluster.ownerUrl });
  await owner.connect();
  try {
    await owner.query(await readFile(path.join(import.meta.dirname, 'schema.sql'), 'utf8'));
    const { rows } = await owner.query<{ name: string }>('select current_database() as name');
    await applyMetadata(owner, { metadata, headerPrefix: 'X-Gql-', password });
    const rolePrefix = `rowgate_${rows[0]?.name}_`;
    return {
      rolePrefix,
      gatewayUrl: withLogin(cluster.ownerUrl, `${rolePrefix}gateway_login`, password),
      remove: async () => {
        await cluster.stop();
        await rm(cluster.folder, { recursive: true, force: true });
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  } finally {
    await owner.end();
  }
}
