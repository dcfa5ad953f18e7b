import type { Static, TSchema } from 'typebox';
import type { Report } from '../diagnostics.ts';
import { startOf } from './files/file-failure.ts';
import { readSource } from './files/read-source.ts';
import { decode } from './shape/shape.ts';
import { validateShape } from './shape/validate-shape.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** Reads, parses, validates and decodes a file; undefined for an invalid one, whose mistakes are reported. */
export async function readFile<S extends TSchema>(
  path: string,
  schema: S,
  report: Report,
): Promise<Static<S> | undefined> {
  const text = await readSource(path, report);
  const root = text === undefined ? undefined : parseYaml(text, startOf(path).file, report);
  return root && validateShape(root, schema, report) ? decode(schema, root, report) : undefined;
}
