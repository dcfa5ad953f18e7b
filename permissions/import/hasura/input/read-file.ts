import type { Report } from '../../../diagnostics.ts';
import { startOf } from '../../../metadata/files/file-failure.ts';
import { readSource } from '../../../metadata/files/read-source.ts';
import type { RawNode } from '../../../metadata/yaml/node.ts';
import { parseSource } from './parse-source.ts';

/** The largest file that is read, in bytes: whole projects stand in one. */
export const largestInput = 64 * 1024 * 1024;

/** One file of Hasura's, JSON or YAML; undefined where it cannot be read, which is reported. */
export async function readFile(path: string, report: Report): Promise<RawNode | undefined> {
  const source = await readSource(path, report, largestInput);
  return source === undefined ? undefined : parseSource(source, startOf(path).file, report);
}
