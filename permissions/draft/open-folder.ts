import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogData } from '../catalog/types.ts';
import { MetadataError } from '../errors.ts';
import type { Drafts } from '../metadata/load-metadata.ts';
import type { ParsedFiles } from '../metadata/read-file.ts';
import type { LoadModelOptions } from '../model/load-model.ts';
import { loadSuites } from '../testing/suites/resolve-suites.ts';
import type { Suite } from '../testing/suites/suite.ts';
import { type CheckedDraft, checkDraft } from './check-draft.ts';
import { type ResolvedFolder, resolveFolder } from './resolve-folder.ts';

/** A migration can change the catalog without an apply. */
const maxCatalogAgeMs = 60_000;

type Options = Omit<LoadModelOptions, 'client' | 'drafts'>;

export interface OpenFolderOptions extends Options {
  /** Reads the catalog of the database. */
  readonly inspect: () => Promise<CatalogData>;
  /** Differs after each apply. */
  readonly revision: string;
}

/** A metadata folder at one moment, resolved once for many drafts. */
export interface OpenFolder {
  readonly files: ResolvedFolder;
  check(drafts: Drafts): Promise<CheckedDraft>;
  /** Returns the tests; none if the folder has none, or they have mistakes. */
  suites(): Promise<readonly Suite[]>;
}

interface Known extends OpenFolder {
  readonly key: string;
  readonly until: number;
}

let known: Known | undefined;

/** Opens a metadata folder. The last one stays open until a file, the applied rules or perhaps the catalog differ. */
export async function openFolder(options: OpenFolderOptions): Promise<OpenFolder> {
  const { inspect, revision, ...naming } = options;
  const key = JSON.stringify([naming, revision, await stateOf(options.metadata)]);
  if (known?.key === key && performance.now() < known.until) return known;
  const until = performance.now() + maxCatalogAgeMs;
  known = { key, until, ...(await open(await inspect(), naming)) };
  return known;
}

async function open(catalog: CatalogData, options: Options): Promise<OpenFolder> {
  const parsed: ParsedFiles = new Map();
  const files = await resolveFolder(catalog, options, parsed);
  let suites: Promise<readonly Suite[]> | undefined;
  return {
    files,
    check: async (drafts) => {
      const after = await resolveFolder(catalog, { ...options, drafts }, new Map(parsed));
      return checkDraft(files, after);
    },
    suites: () => {
      suites ??= suitesOf(files, options);
      return suites;
    },
  };
}

async function suitesOf(files: ResolvedFolder, { metadata }: Options): Promise<readonly Suite[]> {
  if (files.kind === 'mistaken') return [];
  try {
    return await loadSuites(metadata, files.loaded.model);
  } catch (error) {
    if (error instanceof MetadataError) return [];
    throw error;
  }
}

/** Returns a text that differs after each change of a file. */
async function stateOf(metadata: string): Promise<string> {
  const names = await readdir(metadata, { recursive: true });
  const yaml = names.filter((name) => name.endsWith('.yaml')).sort();
  const facts = await Promise.all(
    yaml.map(async (name) => {
      const found = await stat(join(metadata, name)).catch(() => undefined);
      return [name, found?.mtimeMs, found?.size, found?.ino];
    }),
  );
  return JSON.stringify(facts);
}
