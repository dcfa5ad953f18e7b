import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import type { MetadataFiles } from './metadata-files.ts';

const folder = path.resolve(import.meta.dirname, '../golden');

/** One line of access.yaml: a role, a statement and its result. */
export interface Access {
  /** Title of the test; default: the statement. */
  readonly fact?: string;
  readonly as: string;
  /** Session variables by setting name. */
  readonly with?: Readonly<Record<string, string | number>>;
  readonly sql: string;
  /** The returned rows, value by value. */
  readonly rows?: readonly (readonly (string | number | boolean | null)[])[];
  /** Number of written rows. */
  readonly affects?: number;
  /** SQLSTATE of the error. */
  readonly refused?: string;
  /** A part of the error message. */
  readonly says?: string;
  /** Commits, and compares the rows that the owner finds afterwards. */
  readonly stored?: { readonly sql: string; readonly rows: NonNullable<Access['rows']> };
}

/** A folder in golden/. */
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
 * Returns the content of a file of a case. With UPDATE_GOLDEN=1 it first writes `actual` to the file.
 * @throws Error with UPDATE_GOLDEN=1 in CI, where no file may change
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
