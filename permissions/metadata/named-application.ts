import { join } from 'node:path';
import { type Position, Report } from '../diagnostics.ts';
import { readSource } from './files/read-source.ts';
import { settingsFile } from './schemas/settings.ts';
import { validateShape } from './shape/validate-shape.ts';
import { parseYaml } from './yaml/parse-yaml.ts';
import { fieldOf, nameOf } from './yaml/raw-access.ts';

/** The application that a metadata folder names, and where it does so. */
export interface NamedApplication {
  readonly name: string;
  readonly position: Position;
}

/**
 * Reads `application` of rowgate.yaml, before anything else of the folder is read. Undefined where the file is missing,
 * does not name one, or is invalid: loading the folder reports its mistakes.
 */
export async function namedApplication(directory: string): Promise<NamedApplication | undefined> {
  const report = new Report();
  const path = join(directory, 'rowgate.yaml');
  const text = await readSource(path, report);
  const root = text === undefined ? undefined : parseYaml(text, path, report);
  if (!root || !validateShape(root, settingsFile, report)) return undefined;
  const application = fieldOf(root, 'application');
  return application && nameOf(application);
}
