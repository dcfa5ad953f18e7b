import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { migrate } from '../../permissions/index.ts';
import { readSchemaFacts } from '../../permissions/migrate/schema-facts.ts';

/**
 * Runs migration files on a database and returns digests of the definitions that they add, such as tables and
 * functions, by the name of the definition. The database must contain all objects that the files depend on. The caller
 * drops the database afterwards.
 */
export async function schemaOfFiles(
  owner: pg.Client,
  folder: string,
  files: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const scope = path.basename(folder);
  const copy = await mkdtemp(path.join(tmpdir(), 'rowgate-baseline-'));
  try {
    for (const name of files) await cp(path.join(folder, name), path.join(copy, name));
    const before = await readFacts(owner);
    await migrate(owner, copy, scope);
    const after = await readFacts(owner);
    return Object.fromEntries([...after].filter(([name]) => !before.has(name)));
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function readFacts(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  await client.query('begin');
  const facts = await readSchemaFacts(client);
  await client.query('commit');
  return facts;
}
