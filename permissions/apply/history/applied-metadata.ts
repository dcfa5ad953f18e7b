import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { CatalogData } from '../../catalog/types.ts';

/** The metadata files of an apply by their paths within the folder, and the catalog that they were resolved against. */
export interface AppliedMetadata {
  readonly files: Readonly<Record<string, string>>;
  readonly catalog: CatalogData;
}

/** Files of a metadata folder that rules are read from. */
const pattern = '**/*.{yaml,graphql,gql}';

/** Reads the files of a metadata folder, without the section `authentication` of rowgate.yaml. */
export async function readMetadataFiles(folder: string): Promise<AppliedMetadata['files']> {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: folder })) paths.push(path);
  const files: Record<string, string> = {};
  for (const path of paths.sort()) {
    const text = await readFile(join(folder, path), 'utf8');
    files[path.split(sep).join('/')] = path === 'rowgate.yaml' ? withoutAuthentication(text) : text;
  }
  return files;
}

/** Returns the SHA-256 of the files, which identifies a version of the metadata. */
export function hashFiles(files: AppliedMetadata['files']): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex');
}

export function packMetadata(applied: AppliedMetadata): Promise<Buffer> {
  return promisify(gzip)(JSON.stringify(applied), { level: 1 });
}

export async function unpackMetadata(source: Buffer): Promise<AppliedMetadata> {
  return JSON.parse((await promisify(gunzip)(source)).toString());
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
