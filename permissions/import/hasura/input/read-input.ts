import { stat } from 'node:fs/promises';
import type { Report } from '../../../diagnostics.ts';
import { fileFailure, startOf } from '../../../metadata/files/file-failure.ts';
import { type Cursor, field } from './cursor.ts';
import { readDirectory } from './read-directory.ts';
import { readFile } from './read-file.ts';

/**
 * Hasura's metadata from a file (as `export_metadata` answers, with or without the envelope that names its
 * `resource_version`) or from the folder that `hasura metadata export` writes. Undefined where it cannot be read,
 * which is reported.
 */
export async function readInput(path: string, report: Report): Promise<Cursor | undefined> {
  const isFolder = await looksLikeFolder(path, report);
  if (isFolder === undefined) return undefined;
  const node = isFolder ? await readDirectory(path, report) : await readFile(path, report);
  return node && withoutEnvelope({ node, path: '' });
}

async function looksLikeFolder(path: string, report: Report): Promise<boolean | undefined> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    report.error('RG_FILE_UNREADABLE', startOf(path), `the path ${fileFailure(error)}`);
    return undefined;
  }
}

function withoutEnvelope(cursor: Cursor): Cursor {
  return field(cursor, 'metadata') ?? cursor;
}
