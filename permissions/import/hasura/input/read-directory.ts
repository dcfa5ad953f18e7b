import { access, readdir, realpath } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import type { Report } from '../../../diagnostics.ts';
import { fileFailure, startOf } from '../../../metadata/files/file-failure.ts';
import { readSource } from '../../../metadata/files/read-source.ts';
import type { RawEntry, RawNode } from '../../../metadata/yaml/node.ts';
import { quote } from '../../../text/characters.ts';
import { mergeActionTypes } from './merge-action-types.ts';
import { includeMark } from './parse-source.ts';
import { largestInput, readFile } from './read-file.ts';

/** Keys of Hasura's metadata, by the file that holds the value. */
const fileKeys: Readonly<Record<string, string>> = {
  'allow_list.yaml': 'allowlist',
  'api_limits.yaml': 'api_limits',
  'backend_configs.yaml': 'backend_configs',
  'cron_triggers.yaml': 'cron_triggers',
  'graphql_schema_introspection.yaml': 'graphql_schema_introspection',
  'inherited_roles.yaml': 'inherited_roles',
  'metrics_config.yaml': 'metrics_config',
  'network.yaml': 'network',
  'opentelemetry.yaml': 'opentelemetry',
  'query_collections.yaml': 'query_collections',
  'remote_schemas.yaml': 'remote_schemas',
  'rest_endpoints.yaml': 'rest_endpoints',
  'databases/databases.yaml': 'sources',
};

/** Files that hold a map of several keys of Hasura's metadata, each with its value. */
const keyedFiles = ['version.yaml', 'actions.yaml'];

/**
 * The file with the types of the actions in actions.yaml, in GraphQL's schema language (SDL). No key of the metadata
 * corresponds to this file, so the import merges it into actions.yaml.
 */
const actionTypes = 'actions.graphql';

const ignored = [actionTypes, 'databases'];

interface Walk {
  /**
   * Real path of the folder. A file outside the folder is refused, so that an `!include` or a link cannot read other
   * files.
   */
  readonly root: string;
  readonly report: Report;
}

/**
 * Reads the folder that `hasura metadata export` writes, or the project around that folder, as one document. When a
 * file cannot be read, reports the reason and returns undefined.
 */
export async function readDirectory(path: string, report: Report): Promise<RawNode | undefined> {
  const folder = (await exists(join(path, 'version.yaml'))) ? path : join(path, 'metadata');
  if (!(await exists(join(folder, 'version.yaml')))) {
    const hint = 'name the folder that hasura metadata export writes, or a metadata.json';
    report.error('RG_FILE_UNREADABLE', startOf(path), 'the folder has no version.yaml', hint);
    return undefined;
  }
  const before = report.diagnostics.length;
  const walk = { root: await realpath(folder), report };
  const entries: RawEntry[] = [];
  for (const name of await namesIn(folder)) entries.push(...(await readNamed(folder, name, walk)));
  if (report.diagnostics.length > before) return undefined;
  return { kind: 'map', entries, position: startOf(join(folder, 'version.yaml')) };
}

/**
 * Returns the paths of the files to read in the folder, including the file in its subfolder. Unknown file names are
 * reported, like unknown keys of the metadata.
 */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  const databases = 'databases/databases.yaml';
  return (await exists(join(folder, databases))) ? [...names, databases] : names;
}

async function readNamed(folder: string, name: string, walk: Walk): Promise<readonly RawEntry[]> {
  if (ignored.includes(name)) return [];
  const path = join(folder, name);
  const keyPosition = startOf(path);
  const key = fileKeys[name];
  if (key === undefined && !keyedFiles.includes(name)) {
    return [{ key: name, keyPosition, value: presence(path) }];
  }
  const node = await readWithIncludes(path, [], walk);
  if (!node) return [];
  if (key !== undefined) return [{ key, keyPosition, value: node }];
  if (node.kind === 'map') {
    return name === 'actions.yaml' ? withTypes(node.entries, folder, walk) : node.entries;
  }
  walk.report.error('RG_SHAPE', node.position, 'the file must hold a map');
  return [];
}

async function withTypes(
  entries: readonly RawEntry[],
  folder: string,
  { report }: Walk,
): Promise<readonly RawEntry[]> {
  const path = join(folder, actionTypes);
  const sdl = (await exists(path)) ? await readSource(path, report, largestInput) : undefined;
  // In a project without actions, the file is empty.
  if (sdl === undefined || sdl.trim() === '') return entries;
  return mergeActionTypes(entries, sdl, startOf(path).file, report);
}

function presence(path: string): RawNode {
  return { kind: 'scalar', value: true, source: 'true', position: startOf(path) };
}

async function readWithIncludes(
  path: string,
  through: readonly string[],
  walk: Walk,
): Promise<RawNode | undefined> {
  const node = await readFile(path, walk.report);
  return node && resolve(node, path, [...through, path], walk);
}

/** Replaces `!include` by the content of the file. Paths are relative to the file that contains the `!include`. */
async function resolve(
  node: RawNode,
  file: string,
  through: readonly string[],
  walk: Walk,
): Promise<RawNode> {
  if (node.kind === 'list') {
    const items: RawNode[] = [];
    for (const item of node.items) items.push(await resolve(item, file, through, walk));
    return { ...node, items };
  }
  if (node.kind === 'map') {
    const entries: RawEntry[] = [];
    for (const entry of node.entries)
      entries.push({ ...entry, value: await resolve(entry.value, file, through, walk) });
    return { ...node, entries };
  }
  const { value } = node;
  if (typeof value !== 'string' || !value.startsWith(includeMark)) return node;
  const named = value.slice(includeMark.length).trim();
  return extname(named) === '.yaml'
    ? ((await include(node, join(dirname(file), named), through, walk)) ?? node)
    : node;
}

async function include(
  node: RawNode,
  path: string,
  through: readonly string[],
  walk: Walk,
): Promise<RawNode | undefined> {
  const problem = through.includes(path)
    ? 'leads to itself'
    : await outside(path, walk.root).catch((error) => fileFailure(error));
  if (problem === undefined) return readWithIncludes(path, through, walk);
  const message = `the included file ${quote(startOf(path).file)} ${problem}`;
  walk.report.error('RG_FILE_UNREADABLE', node.position, message);
  return undefined;
}

async function outside(path: string, root: string): Promise<string | undefined> {
  const way = relative(root, await realpath(path));
  return way.startsWith('..') ? 'lies outside the export' : undefined;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
