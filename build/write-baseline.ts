// Run `node build/write-baseline.ts` to write the definitions in sql/platform/baseline.json again.
// This is necessary when permissions/migrate/schema-facts.ts changes. `files` and `replaces` are history and do not
// change. When a file of the baseline gets other messages or names of local variables, the former digests of these
// functions go into `reworded`, and the former checksum of the file into `earlier-checksums.json`.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { startEmbedded } from '../server/db/embedded/start-embedded.ts';
import { migrateScopes } from '../server/db/preparation.ts';
import { schemaOfFiles } from './baseline/schema-of-files.ts';

const folder = path.resolve(import.meta.dirname, '../sql/platform');
const file = path.join(folder, 'baseline.json');
const baseline = JSON.parse(await readFile(file, 'utf8'));

const dataDir = await mkdtemp(path.join(tmpdir(), 'rowgate-baseline-'));
const cluster = await startEmbedded({ dataDir, logger: pino({ level: 'warn' }), durable: false });
const owner = new pg.Client({ connectionString: cluster.ownerUrl });
try {
  await owner.connect();
  await migrateScopes(owner, ['gateway']);
  const schema = await schemaOfFiles(owner, folder, baseline.files);
  await writeFile(file, `${JSON.stringify({ ...baseline, schema }, null, 2)}\n`);
} finally {
  await owner.end();
  await cluster.stop();
  await rm(cluster.folder, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
