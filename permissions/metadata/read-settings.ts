import { join } from 'node:path';
import { Report } from '../diagnostics.ts';
import { readFile } from './read-file.ts';
import type { RawAuthentication } from './schemas/authentication.ts';
import { type RawSettings, settingsFile } from './schemas/settings.ts';
import type { Placed } from './shape/shape.ts';
import type { RawName } from './yaml/node.ts';

/** The application that a metadata folder names, with the position of the name. */
export type NamedApplication = RawName;

/** Reads `application` of rowgate.yaml. Undefined as described for {@link readSettings}. */
export async function namedApplication(directory: string): Promise<NamedApplication | undefined> {
  return (await readSettings(directory))?.application;
}

/** Reads `authentication` of rowgate.yaml. Undefined as described for {@link readSettings}. */
export async function readAuthentication(
  directory: string,
): Promise<Placed<RawAuthentication> | undefined> {
  return (await readSettings(directory))?.authentication;
}

/**
 * Reads rowgate.yaml before the rest of the folder is read. Returns undefined if the file is missing or invalid; loading
 * the folder reports mistakes later.
 */
export function readSettings(directory: string): Promise<RawSettings | undefined> {
  return readFile(join(directory, 'rowgate.yaml'), settingsFile, new Report());
}
