import type { Report } from '../../../diagnostics.ts';
import { startOf } from '../../../metadata/files/file-failure.ts';
import { readSource } from '../../../metadata/files/read-source.ts';
import type { RawNode } from '../../../metadata/yaml/node.ts';
import { parseSource } from './parse-source.ts';

/** Maximum size of an input file, in bytes. One file may contain a whole project. */
export const largestInput = 64 * 1024 * 1024;

/**
 * Reads one of Hasura's files, JSON or YAML. When the file cannot be read, reports the reason and returns undefined.
 */
export async function readFile(path: string, report: Report): Promise<RawNode | undefined> {
  const source = await readSource(path, report, largestInput);
  return source === undefined ? undefined : parseSource(source, startOf(path).file, report);
}
