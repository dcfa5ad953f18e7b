import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import type { MetadataFiles } from './metadata-files.ts';

const folder = path.resolve(import.meta.dirname, '../golden');

/** One line of access.yaml: who runs what, and what comes of it. */
export interface Access {
  /** What it shows; by default the statement itself. */
  readonly fact?: string;
  readonly as: string;
  /** Session variables by their settings' names. */
  readonly with?: Readonly<Record<string, string | number>>;
  readonly sql: string;
  /** The answer, cell by cell. */
  readonly rows?: readonly (readonly (string | number | boolean | null)[])[];
  /** How many rows were written. */
  readonly affects?: number;
  /** SQLSTATE of the refusal. */
  readonly refused?: string;
  /** A part of the refusal's message. */
  readonly says?: string;
  /** Commits, and looks at what the owner then finds. */
  readonly stored?: { readonly sql: string; readonly rows: NonNullable<Access['rows']> };
}

/** A folder of golden/. */
export interface GoldenCase {
  readonly name: string;
  readonly prefix: string;
  readonly schema: string;
  readonly rules: MetadataFiles;
  /** Absent: the metadata must be refused. */
  readonly access: readonly Access[] | undefined;
}

export async function readGoldenCases(): Promise<readonly GoldenCase[]> {
  const names = await readdir(folder);
  return Promise.all(names.sort().map(readCase));
}

async function readCase(name: string): Promise<GoldenCase> {
  const text = (file: string) => readFile(path.join(folder, name, file), 'utf8');
  const access = await text('access.yaml').catch(() => undefined);
  return {
    name,
    prefix: `golden_${name.replaceAll('-', '_')}_`,
    schema: await text('schema.sql'),
    rules: parse(await text('rules.yaml')) as MetadataFiles,
    access: access === undefined ? undefined : (parse(access) as readonly Access[]),
  };
}

/**
 * What a file of a case holds; with UPDATE_GOLDEN=1 it is made to hold `actual` first.
 * @throws Error where CI asks for that: there the files are the judges
 */
export async function expectedText(
  golden: GoldenCase,
  file: 'expected.sql' | 'errors.txt',
  actual: string,
): Promise<string> {
  const target = path.join(folder, golden.name, file);
  if (process.env.UPDATE_GOLDEN === '1') {
    if (process.env.CI) throw new Error('UPDATE_GOLDEN rewrites the judges; CI may not');
    await writeFile(target, actual);
  }
  return readFile(target, 'utf8');
}
