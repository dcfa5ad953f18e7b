import type pg from 'pg';
import { Catalog, tableKey } from '../catalog/catalog.ts';
import { inspectCatalog } from '../catalog/inspect-catalog.ts';
import type { CatalogData } from '../catalog/types.ts';
import { type Diagnostic, Report } from '../diagnostics.ts';
import { MetadataError } from '../errors.ts';
import type { Drafts, RawMetadata, ReadingOptions } from '../metadata/load-metadata.ts';
import type { ParsedFiles } from '../metadata/read-file.ts';
import type { AcceptedFinding } from '../metadata/schemas/settings.ts';
import { defaultRolePrefix } from '../text/names.ts';
import type { Model } from '../types/model.ts';
import type { VariableName } from '../types/names.ts';
import { buildModel } from './build-model.ts';

export interface LoadModelOptions {
  /** Path of the metadata folder. */
  readonly metadata: string;
  /** Texts to read instead of those of files. Absent: all files are read as they are. */
  readonly drafts?: Drafts | undefined;
  /** A connection or pool. Any login may read the catalogs. */
  readonly client: pg.ClientBase | pg.Pool;
  /** Called when the catalogs have been read, while files are still parsed. The connection is free then. */
  readonly onCatalog?: (() => void) | undefined;
  /** Maximum time for reading the catalogs, in milliseconds. Absent: the limit of the connection. */
  readonly timeoutMs?: number | undefined;
  /** Prefix of the Postgres roles. Absent: `rowgate_<database>_`. */
  readonly rolePrefix?: string | undefined;
  /** Prefix of headers that hold session variables, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /**
   * Whether a role may call a query function when it may select the returned rows, although the function's file does
   * not list the role. Default: false.
   */
  readonly inferFunctionPermissions?: boolean | undefined;
  /** Session variables that authentication sets, so that callers need not send them; default: none. */
  readonly authenticatedVariables?: readonly VariableName[] | undefined;
}

/** A model, the catalog against which it was resolved, and the warnings of resolving the metadata. */
export interface LoadedModel {
  readonly model: Model;
  readonly catalog: Catalog;
  readonly warnings: readonly Diagnostic[];
  /** Warnings that rowgate.yaml accepts. */
  readonly accepted: readonly AcceptedFinding[];
  /** The decoded files, for findings about how rules are written. `texts` contains keys of `authentication`. */
  readonly raw: Pick<RawMetadata, 'roles' | 'filters' | 'tables' | 'texts'>;
}

/**
 * Loads a metadata folder and resolves it against the database.
 * @throws MetadataError with every mistake
 */
export async function loadModel(options: LoadModelOptions): Promise<Model> {
  return (await resolveModel(options)).model;
}

/** Like loadModel, but also returns the catalog and the warnings. */
export async function resolveModel(options: LoadModelOptions): Promise<LoadedModel> {
  const report = new Report();
  // Both run at the same time: Postgres reads its catalogs while this process parses files.
  const [data, raw] = await Promise.all([
    catalogData(options),
    readFolder(options.metadata, report, options),
  ]);
  if (!raw || report.hasErrors) throw new MetadataError(report.diagnostics);
  return resolveAgainst(raw, new Catalog(data), options, report);
}

async function catalogData({
  client,
  timeoutMs,
  onCatalog,
}: LoadModelOptions): Promise<CatalogData> {
  const data = await inspectCatalog(client, timeoutMs);
  onCatalog?.();
  return data;
}

/** Like resolveModel, but uses a catalog file instead of a database. */
export async function resolveOffline(
  data: CatalogData,
  options: Omit<LoadModelOptions, 'client'>,
  parsed?: ParsedFiles,
): Promise<LoadedModel> {
  const report = new Report();
  const raw = await readFolder(options.metadata, report, { ...options, parsed });
  if (!raw || report.hasErrors) throw new MetadataError(report.diagnostics);
  return resolveAgainst(raw, new Catalog(data), options, report);
}

// Imported on demand: loading the YAML parser and the schemas takes half of the start time of a command, and many
// commands read no metadata.
async function readFolder(
  metadata: string,
  report: Report,
  reading: ReadingOptions,
): Promise<RawMetadata | undefined> {
  const { loadMetadata } = await import('../metadata/load-metadata.ts');
  return loadMetadata(metadata, report, reading);
}

function resolveAgainst(
  raw: RawMetadata,
  catalog: Catalog,
  options: Omit<LoadModelOptions, 'client'>,
  report: Report,
): LoadedModel {
  refuseOtherDatabase(raw, catalog, options.metadata);
  const naming = {
    rolePrefix: options.rolePrefix ?? defaultRolePrefix(catalog.data.database),
    headerPrefix: options.headerPrefix,
    inferFunctionPermissions: options.inferFunctionPermissions,
    authenticatedVariables: options.authenticatedVariables,
  };
  const model = buildModel(raw, catalog, naming, report);
  if (report.hasErrors) throw new MetadataError(report.diagnostics);
  const accepted = raw.settings.acceptedFindings;
  const { roles, filters, tables, texts } = raw;
  const warnings = report.diagnostics;
  return { model, catalog, warnings, accepted, raw: { roles, filters, tables, texts } };
}

/** From this number of missing tables on, one line says so instead of an error for each. */
const MANY_TABLES = 4;

/** Refuses a database that lacks most tables of the metadata. It is probably another one than was meant. */
function refuseOtherDatabase(
  { tables, settings }: RawMetadata,
  { tables: found, data }: Catalog,
  folder: string,
): void {
  const [first, ...more] = tables.filter(({ schema, name }) => !found.has(tableKey(schema, name)));
  const count = more.length + 1;
  if (!first || count < MANY_TABLES || count * 2 <= tables.length) return;
  const message = `database "${data.database}" lacks ${count} of the ${tables.length} tables of the metadata in ${folder}, such as ${first.schema}.${first.name}`;
  const make = settings.application ? 'run `rowgate migrate`' : 'make the tables first';
  const hint = `if they belong together, ${make}; otherwise correct DATABASE_URL, or --metadata`;
  throw new MetadataError([{ code: 'RG_UNKNOWN_TABLE', severity: 'error', message, hint }]);
}
