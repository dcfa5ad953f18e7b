import type { Static, TSchema } from 'typebox';
import type { Report } from '../diagnostics.ts';
import { quote } from '../text/characters.ts';
import { startOf } from './files/file-failure.ts';
import { findFiles, type MetadataFiles } from './files/find-files.ts';
import { readSource } from './files/read-source.ts';
import type { RawFunction, RawMetadata, RawTable } from './raw.ts';
import { noActions, readActions } from './read/read-actions.ts';
import { nothingListed, readAllowList } from './read/read-allow-list.ts';
import { readFunction } from './read/read-function.ts';
import { readGraphile } from './read/read-graphile.ts';
import { readSchedules } from './read/read-schedules.ts';
import { readTable } from './read/read-table.ts';
import { actionsFileSchema } from './schemas/action-schemas.ts';
import { cronFileSchema } from './schemas/event-schemas.ts';
import { filtersFile } from './schemas/filters.ts';
import { functionFileSchema } from './schemas/function-schemas.ts';
import { graphileFileSchema } from './schemas/graphile-schema.ts';
import { allowListFileSchema } from './schemas/operation-schemas.ts';
import { rolesFile } from './schemas/roles.ts';
import { tableFileSchema } from './schemas/schemas.ts';
import { settingsFile } from './schemas/settings.ts';
import { decode, orEmpty } from './shape/shape.ts';
import { validateShape } from './shape/validate-shape.ts';
import type { RawNode } from './yaml/node.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/**
 * Reads a metadata folder: roles.yaml, filters.yaml, rowgate.yaml, cron.yaml, actions.yaml, allow_list.yaml and graphile.yaml where
 * they are there, and tables/ and functions/ with all folders in them. Every mistake in any file goes to `report`; with even one, the answer is undefined. Names are not
 * looked up yet: whether roles, columns and filters exist is for the stage that knows the database.
 */
export async function loadMetadata(
  directory: string,
  report: Report,
): Promise<RawMetadata | undefined> {
  const before = report.diagnostics.length;
  const files = await findFiles(directory, report);
  const metadata = files && (await readFiles(directory, files, report));
  return report.diagnostics.length === before ? metadata : undefined;
}

async function readFiles(
  directory: string,
  files: MetadataFiles,
  report: Report,
): Promise<RawMetadata> {
  const roles = await readShape(files.roles, rolesFile, report);
  const filters = await readShape(files.filters, filtersFile, report);
  const settings = await readShape(files.settings, settingsFile, report);
  const cron = await readFile(files.cron, cronFileSchema, report);
  const actions = await readFile(files.actions, actionsFileSchema, report);
  const allowList = await readFile(files.allowList, allowListFileSchema, report);
  const graphile = await readFile(files.graphile, graphileFileSchema, report);
  const tables: RawTable[] = [];
  for (const path of files.tables) {
    const root = await readFile(path, tableFileSchema, report);
    const table = root && readTable(startOf(path).file, root, report);
    if (table) tables.push(table);
  }
  refuseDuplicates(tables, report);
  const functions = await readFunctions(files.functions, report);
  return {
    roles: roles?.roles ?? [],
    filters: filters?.filters ?? [],
    tables,
    functions,
    schedules: cron ? readSchedules(cron, report) : [],
    actions: actions ? readActions(actions, report) : noActions,
    allowList: allowList ? await readAllowList(allowList, directory, report) : nothingListed,
    settings: settings ?? decode(orEmpty(settingsFile), undefined, report),
    graphile: graphile && readGraphile(graphile, report),
  };
}

async function readFunctions(
  paths: readonly string[],
  report: Report,
): Promise<readonly RawFunction[]> {
  const functions: RawFunction[] = [];
  for (const path of paths) {
    const root = await readFile(path, functionFileSchema, report);
    const found = root && readFunction(startOf(path).file, root, report);
    if (found) functions.push(found);
  }
  return functions;
}

async function readShape<S extends TSchema>(
  path: string | undefined,
  schema: S,
  report: Report,
): Promise<Static<S> | undefined> {
  const root = await readFile(path, schema, report);
  return root && decode(schema, root, report);
}

async function readFile(
  path: string | undefined,
  schema: TSchema,
  report: Report,
): Promise<RawNode | undefined> {
  const text = path === undefined ? undefined : await readSource(path, report);
  if (path === undefined || text === undefined) return undefined;
  const root = parseYaml(text, startOf(path).file, report);
  return root && validateShape(root, schema, report) ? root : undefined;
}

function refuseDuplicates(tables: readonly RawTable[], report: Report): void {
  const first = new Map<string, RawTable>();
  for (const table of tables) {
    const key = JSON.stringify([table.schema, table.name]);
    const other = first.get(key);
    if (other) {
      const message = `the table ${quote(`${table.schema}.${table.name}`)} is described in ${other.file} too`;
      report.error('RG_DUPLICATE_TABLE', table.position, message, 'keep one file a table');
    } else first.set(key, table);
  }
}
