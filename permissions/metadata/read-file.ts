import { relative } from 'node:path';
import type { Static, TSchema } from 'typebox';
import type { Report } from '../diagnostics.ts';
import { startOf } from './files/file-failure.ts';
import { readSource } from './files/read-source.ts';
import { decode } from './shape/shape.ts';
import { validateShape } from './shape/validate-shape.ts';
import type { RawNode } from './yaml/node.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** Reads, parses, validates and decodes a file. Undefined after a mistake, which is reported. */
export async function readFile<S extends TSchema>(
  path: string,
  schema: S,
  report: Report,
): Promise<Static<S> | undefined> {
  const root = await readRoot(path, report);
  return root && decodeFile(root, schema, report);
}

/**
 * Parsed files by path and content, so that two versions of a folder parse a common file once. The positions in such a
 * file name the folder that was read first.
 */
export type ParsedFiles = Map<string, RawNode>;

/**
 * Reads and parses a file. `folder` is the metadata folder, if the file is in one. Undefined after a failure, which is
 * reported.
 */
export async function readRoot(
  path: string,
  report: Report,
  folder?: string,
): Promise<RawNode | undefined> {
  const text = await readSource(path, report);
  return text === undefined ? undefined : parseRoot({ path, text }, report, folder);
}

/** Parses the text of a file, like `readRoot`. */
export function parseRoot(
  { path, text }: { readonly path: string; readonly text: string },
  report: Report,
  folder?: string,
  parsed?: ParsedFiles,
): RawNode | undefined {
  const inFolder = folder === undefined ? undefined : startOf(relative(folder, path)).file;
  const key = JSON.stringify([inFolder, text]);
  const root = parsed?.get(key) ?? parseYaml(text, startOf(path).file, report, inFolder);
  if (root) parsed?.set(key, root);
  return root;
}

/** Validates and decodes a parsed file. Undefined after a mistake, which is reported. */
export function decodeFile<S extends TSchema>(
  root: RawNode,
  schema: S,
  report: Report,
): Static<S> | undefined {
  return validateShape(root, schema, report) ? decode(schema, root, report) : undefined;
}
