import { join } from 'node:path';
import { Report } from '../diagnostics.ts';
import { readFile } from './read-file.ts';
import { settingsFile } from './schemas/settings.ts';
import type { RawName } from './yaml/node.ts';

/** The application that a metadata folder names, and the position of its name. */
export type NamedApplication = RawName;

/**
 * Reads `application` of rowgate.yaml, before anything else of the folder is read. Undefined where the file is missing,
 * does not name one, or is invalid: loading the folder reports its mistakes.
 */
export async function namedApplication(directory: string): Promise<NamedApplication | undefined> {
  const settings = await readFile(join(directory, 'rowgate.yaml'), settingsFile, new Report());
  return settings?.application;
}
