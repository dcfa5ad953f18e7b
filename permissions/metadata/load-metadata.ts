import { relative } from 'node:path';
import type { Static, TSchema } from 'typebox';
import type { Report } from '../diagnostics.ts';
import { quote } from '../text/characters.ts';
import {
  type RawAllowList,
  readListedDocuments,
  type TextOf,
} from './documents/read-listed-documents.ts';
import { startOf } from './files/file-failure.ts';
import { findFiles, listFiles, type MetadataFiles } from './files/find-files.ts';
import { readSource } from './files/read-source.ts';
import { isNewer } from './metadata-version.ts';
import { decodeFile, type ParsedFiles, parseRoot } from './read-file.ts';
import { actionsFile, type RawActions } from './schemas/actions/actions.ts';
import { allowListFile } from './schemas/allow-list.ts';
import { functionFile, type RawFunction } from './schemas/function.ts';
import { graphileFile, type RawGraphile } from './schemas/graphile.ts';
import { type RawRole, rolesFile } from './schemas/roles.ts';
import { type RawSettings, settingsFile } from './schemas/settings.ts';
import { filtersFile, type RawFilter } from './schemas/tables/filters.ts';
import { type RawTable, tableFile } from './schemas/tables/table.ts';
import { cronFile, type Schedule } from './schemas/webhooks/schedules.ts';
import { decode, orEmpty } from './shape/shape.ts';
import type { RawNode } from './yaml/node.ts';

/** The decoded contents of a metadata folder. */
export interface RawMetadata {
  readonly roles: readonly RawRole[];
  readonly filters: readonly RawFilter[];
  readonly tables: readonly RawTable[];
  readonly functions: readonly RawFunction[];
  readonly schedules: readonly Schedule[];
  readonly actions: RawActions;
  readonly allowList: RawAllowList;
  readonly settings: RawSettings;
  /** The content of graphile.yaml. Absent: the server offers only Hasura's dialect of GraphQL. */
  readonly graphile: RawGraphile | undefined;
  /** The texts of the files that were read, by their paths within the folder. Contains keys of `authentication`. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Texts that stand for those of existing files, by their paths within the metadata folder. */
export type Drafts = Readonly<Record<string, string>>;

export interface ReadingOptions {
  /** Files that were parsed before. New ones are added. */
  readonly parsed?: ParsedFiles | undefined;
  /** Absent: all files are read as they are. */
  readonly drafts?: Drafts | undefined;
}

/**
 * Reads a metadata folder: roles.yaml, optional other files, and tables/ and functions/ with their subfolders. Reports
 * every mistake in the form of any file, and returns undefined if there is one. Whether roles, columns and filters
 * exist is checked later, when the database is known.
 */
export async function loadMetadata(
  directory: string,
  report: Report,
  { parsed, drafts = {} }: ReadingOptions = {},
): Promise<RawMetadata | undefined> {
  const before = report.diagnostics.length;
  const files = await findFiles(directory, report);
  const texts: Record<string, string> = {};
  const textOf: TextOf = async (path) => {
    const { file } = startOf(relative(directory, path));
    const text = drafts[file] ?? (await readSource(path, report));
    if (text !== undefined) texts[file] = text;
    return text;
  };
  const rootOf: RootOf = async (path) => {
    const text = await textOf(path);
    return text === undefined ? undefined : parseRoot({ path, text }, report, directory, parsed);
  };
  const metadata = files && (await readFiles({ directory, files, rootOf, textOf, texts }, report));
  return report.diagnostics.length === before ? metadata : undefined;
}

/**
 * Does the same as loadMetadata for files in memory, given by their paths within a folder. The allow-list may contain
 * only inline operations, because no other files can be read.
 */
export async function decodeMetadata(
  roots: ReadonlyMap<string, RawNode>,
  report: Report,
): Promise<RawMetadata | undefined> {
  const before = report.diagnostics.length;
  const rootOf: RootOf = async (path) => roots.get(path);
  const files = listFiles([...roots.keys()]);
  const textOf: TextOf = async () => undefined;
  const metadata = await readFiles({ directory: '', files, rootOf, textOf, texts: {} }, report);
  return report.diagnostics.length === before ? metadata : undefined;
}

/** Returns the parsed content of a file. Undefined if the file cannot be read, which is reported. */
type RootOf = (path: string) => Promise<RawNode | undefined>;

interface Folder extends Pick<RawMetadata, 'texts'> {
  readonly directory: string;
  readonly files: MetadataFiles;
  readonly rootOf: RootOf;
  readonly textOf: TextOf;
}

async function readFiles(
  { directory, files, rootOf, textOf, texts }: Folder,
  report: Report,
): Promise<RawMetadata | undefined> {
  const read = async <S extends TSchema>(
    path: string | undefined,
    schema: S,
  ): Promise<Static<S> | undefined> => {
    const root = path === undefined ? undefined : await rootOf(path);
    return root && decodeFile(root, schema, report);
  };
  const readAll = async <S extends TSchema>(
    paths: readonly string[],
    schema: S,
  ): Promise<readonly Static<S>[]> => {
    const found: Static<S>[] = [];
    for (const path of paths) {
      const file = await read(path, schema);
      if (file !== undefined) found.push(file);
    }
    return found;
  };
  const settingsRoot = files.settings === undefined ? undefined : await rootOf(files.settings);
  if (isNewer(settingsRoot, report)) return undefined;
  const settings = settingsRoot && decodeFile(settingsRoot, settingsFile, report);
  const roles = await read(files.roles, rolesFile);
  const filters = await read(files.filters, filtersFile);
  const schedules = await read(files.cron, cronFile);
  const actions = await read(files.actions, actionsFile);
  const listed = await read(files.allowList, allowListFile);
  const graphile = await read(files.graphile, graphileFile);
  const tables = await readAll(files.tables, tableFile);
  refuseDuplicates(tables, report);
  return {
    roles: roles?.roles ?? [],
    filters: filters?.filters ?? [],
    tables,
    functions: await readAll(files.functions, functionFile),
    schedules: schedules ?? [],
    actions: actions ?? decode(orEmpty(actionsFile), undefined, report),
    allowList: await readListedDocuments(
      listed ?? { collections: [], allow: [] },
      { directory, textOf },
      report,
    ),
    settings: settings ?? decode(orEmpty(settingsFile), undefined, report),
    ...{ graphile, texts },
  };
}

function refuseDuplicates(tables: readonly RawTable[], report: Report): void {
  const first = new Map<string, RawTable>();
  // An empty schema marks an ambiguous name, which was reported earlier.
  for (const table of tables.filter(({ schema }) => schema !== '')) {
    const key = JSON.stringify([table.schema, table.name]);
    const other = first.get(key);
    if (other) {
      const message = `the table ${quote(`${table.schema}.${table.name}`)} is described in ${other.file} too`;
      report.error('RG_DUPLICATE_TABLE', table.position, message, 'keep one file a table');
    } else first.set(key, table);
  }
}
