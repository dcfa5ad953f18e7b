import { join } from 'node:path';
import { Report } from '../diagnostics.ts';
import { readFile } from './read-file.ts';
import { settingsFile } from './schemas/settings.ts';
import type { RawName } from './yaml/node.ts';

/** The application that a metadata folder names, with the position of the name. */
export type NamedApplication = RawName;

/**
 * Reads `application` of rowgate.yaml before the rest of the folder is read. Returns undefined if the file is
 * missing, invalid or names no application. Loading the folder reports mistakes later.
 */
export async function namedApplication(directory: string): Promise<NamedApplication | undefined> {
  const settings = await readFile(join(directory, 'rowgate.yaml'), settingsFile, new Report());
  return settings?.application;
}
