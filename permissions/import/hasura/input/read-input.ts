import { stat } from 'node:fs/promises';
import type { Report } from '../../../diagnostics.ts';
import { fileFailure, startOf } from '../../../metadata/files/file-failure.ts';
import { type Cursor, field } from './cursor.ts';
import { readDirectory } from './read-directory.ts';
import { readFile } from './read-file.ts';

/**
 * Reads Hasura's metadata from the folder that `hasura metadata export` writes, or from a file with the response of
 * `export_metadata`, with or without `resource_version`. When the input cannot be read, reports the reason and returns
 * undefined.
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
