import { glob, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type pg from 'pg';
import type { CatalogData } from '../catalog/types.ts';
import { readsTables } from '../objects/state/installation.ts';

/** The metadata files of an apply by their paths within the folder, and the catalog that they were resolved against. */
export interface AppliedMetadata {
  readonly files: Readonly<Record<string, string>>;
  readonly catalog: CatalogData;
}

/** Files of a metadata folder that rules are read from. */
const pattern = '**/*.{yaml,graphql,gql}';

/** Records the metadata of an apply, in the transaction that applies it. Later versions are compared with it. */
export async function recordAppliedMetadata(
  client: pg.ClientBase,
  folder: string,
  catalog: CatalogData,
): Promise<void> {
  const files: Record<string, string> = {};
  for await (const path of glob(pattern, { cwd: folder })) {
    const text = await readFile(join(folder, path), 'utf8');
    files[path.split(sep).join('/')] = path === 'rowgate.yaml' ? withoutAuthentication(text) : text;
  }
  const applied: AppliedMetadata = { files, catalog };
  const source = await promisify(gzip)(JSON.stringify(applied), { level: 1 });
  await client.query(
    `insert into rowgate.applied_metadata (source) values ($1)
     on conflict (singleton) do update set source = excluded.source`,
    [source],
  );
}

/**
 * Reads the metadata of the last apply. Undefined when none was recorded yet, or when the login may not read it.
 */
export async function readAppliedMetadata(
  client: pg.ClientBase,
): Promise<AppliedMetadata | undefined> {
  if ((await readsTables(client)) !== true || !(await hasRecord(client))) return undefined;
  const { rows } = await client.query<{ source: Buffer }>(
    'select m.source from rowgate.applied_metadata m',
  );
  const [row] = rows;
  if (!row) return undefined;
  return JSON.parse((await promisify(gunzip)(row.source)).toString());
}

/** Whether the table of the record exists. It is missing until the migrations of this version have run. */
async function hasRecord(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "select pg_catalog.to_regclass('rowgate.applied_metadata') is not null as found",
  );
  return rows[0]?.found === true;
}

/**
 * Returns rowgate.yaml with empty lines in place of the section `authentication`, which may contain keys. Other lines
 * keep their numbers. A file in another layout is replaced by an empty one.
 */
function withoutAuthentication(text: string): string {
  let isSecret = false;
  const lines = text.split('\n').map((line) => {
    if (/^[^\s#]/.test(line)) isSecret = /^['"]?authentication['"]?\s*:/.test(line);
    return isSecret ? '' : line;
  });
  const rest = lines.join('\n');
  return /authentication['"]?\s*:/.test(rest) ? '{}\n' : rest;
}
