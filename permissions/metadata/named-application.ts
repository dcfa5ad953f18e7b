import { join } from 'node:path';
import { Report } from '../diagnostics.ts';
import { readFile } from './read-file.ts';
import { settingsFile } from './schemas/settings.ts';
import type { RawName } from './yaml/node.ts';

/** The application that a metadata folder names, with the position of the name. */
export type NamedApplication = RawName;

/**
 * Reads the key `application` of rowgate.yaml before the rest of the folder is read, so that the application can take
 * part in loading it. Returns undefined if the file is missing or invalid or names no application. Mistakes are
 * reported later, when the folder is loaded.
 */
export async function namedApplication(directory: string): Promise<NamedApplication | undefined> {
  const settings = await readFile(join(directory, 'rowgate.yaml'), settingsFile, new Report());
  return settings?.application;
}
