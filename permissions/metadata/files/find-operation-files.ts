import { glob, realpath } from 'node:fs/promises';
import { basename, extname, isAbsolute, join, relative } from 'node:path';
import type { Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import type { RawName } from '../yaml/node.ts';
import { fileFailure, startOf } from './file-failure.ts';

/** A file with one document. The name of the document is the file name without its extension. */
export interface OperationFile {
  readonly name: string;
  readonly path: string;
}

/**
 * Returns the files of a metadata folder that match a pattern, in a fixed order. Reports a pattern without a match.
 */
export async function findOperationFiles(
  { name: pattern, position }: RawName,
  directory: string,
  report: Report,
): Promise<readonly OperationFile[]> {
  const refuse = (message: string, hint: string) => {
    report.error('RG_ALLOW_LIST', position, `${quote(pattern)} ${message}`, hint);
    return [];
  };
  if (isAbsolute(pattern) || pattern.split(/[\\/]/).includes('..')) {
    return refuse('leads out of the metadata folder', 'put the files into the folder');
  }
  const found: string[] = [];
  for await (const path of glob(pattern, { cwd: directory })) found.push(path);
  if (found.length === 0) {
    return refuse('means no file', 'paths begin in the metadata folder, as ops/*.graphql');
  }
  const paths = found.sort().map((one) => join(directory, one));
  for (const path of paths) await refuseOutside(path, directory, report);
  return paths.map((path) => ({ name: basename(path, extname(path)), path }));
}

/**
 * Reports a link that leads to a file outside the metadata folder, because metadata must not make the program read such
 * files.
 */
async function refuseOutside(path: string, directory: string, report: Report): Promise<void> {
  try {
    const fromFolder = relative(await realpath(directory), await realpath(path));
    if (!fromFolder.startsWith('..')) return;
    const message = 'the symbolic link leads out of the metadata folder';
    report.error('RG_FILE_UNREADABLE', startOf(path), message, 'put the file into the folder');
  } catch (error) {
    report.error('RG_FILE_UNREADABLE', startOf(path), `the file ${fileFailure(error)}`);
  }
}
