import { fileNames } from './file-names.ts';
import type {
  Imported,
  ImportedFunction,
  ImportedRule,
  ImportedSchedule,
  ImportedTable,
  Plain,
  PlainMap,
} from './hasura/imported.ts';
import { tableNode } from './hasura/table-name.ts';
import { variablesOf } from './imported-variables.ts';
import { allowListMap, rolesOf } from './operation-files.ts';
import { type Comment, yamlText } from './yaml-text.ts';

export const cronPath = 'cron.yaml';
export const actionsPath = 'actions.yaml';

/** A file of the metadata folder that an import writes, with the imported table or function that the file describes. */
export interface FolderFile {
  /** Path within the folder, with forward slashes. */
  readonly path: string;
  readonly map: PlainMap;
  readonly text: string;
  /**
   * The table that the file describes. Absent for functions and for roles.yaml, rowgate.yaml, cron.yaml, actions.yaml
   * and allow_list.yaml.
   */
  readonly table?: ImportedTable;
  readonly called?: ImportedFunction;
}

/** Returns the files of the metadata folder for an import. */
export function folderFiles(imported: Imported, headerPrefix: string): readonly FolderFile[] {
  const { tables, functions, schedules, allowList } = imported;
  const names = fileNames(tables);
  const functionNames = fileNames(functions);
  return [
    fileOf('roles.yaml', new Map([['roles', rolesOf(imported)]])),
    fileOf('rowgate.yaml', settingsOf(imported, headerPrefix)),
    ...(schedules.length > 0 ? [cronFile(schedules)] : []),
    ...actionsFile(imported),
    ...(allowList.collections.size > 0 ? [fileOf('allow_list.yaml', allowListMap(allowList))] : []),
    ...tables.map((table, index) => ({
      ...fileOf(`tables/${names[index]}`, tableMap(table), table.rules.flatMap(commentOf)),
      table,
    })),
    ...functions.map((called, index) => ({
      ...fileOf(`functions/${functionNames[index]}`, called.body),
      called,
    })),
  ];
}

function fileOf(path: string, map: PlainMap, comments: readonly Comment[] = []): FolderFile {
  return { path, map, text: yamlText(map, comments) };
}

/**
 * Returns the content of rowgate.yaml. The file turns default relationships off, because Hasura has only the
 * relationships that were tracked. It declares all session variables, because Hasura's roles do not list the variables
 * that they require.
 */
function settingsOf(imported: Imported, headerPrefix: string): PlainMap {
  const variables = variablesOf(imported, headerPrefix);
  return new Map<string, Plain>([
    ['default_relationships', false],
    ...(variables.length > 0
      ? [['variables', new Map(variables.map((name) => [name, '']))] as const]
      : []),
  ]);
}

function cronFile(schedules: readonly ImportedSchedule[]): FolderFile {
  const comments = schedules.flatMap(({ name, comment }) =>
    comment === undefined ? [] : [{ path: [name], text: comment }],
  );
  return fileOf(cronPath, named(schedules), comments);
}

function actionsFile({ actions, customTypes }: Imported): readonly FolderFile[] {
  const byList = Map.groupBy(customTypes, ({ list }) => list);
  const map = new Map<string, Plain>();
  if (actions.length > 0) map.set('actions', named(actions));
  if (byList.size > 0) {
    map.set('custom_types', new Map([...byList].map(([list, types]) => [list, named(types)])));
  }
  return map.size > 0 ? [fileOf(actionsPath, map)] : [];
}

function named(items: readonly { readonly name: string; readonly body: PlainMap }[]): PlainMap {
  return new Map(items.map(({ name, body }) => [name, body]));
}

function tableMap(table: ImportedTable): PlainMap {
  const map = new Map<string, Plain>([['table', tableNode(table)]]);
  if (table.isEnum) map.set('is_enum', true);
  if (table.graphql.size > 0) map.set('graphql', table.graphql);
  if (table.rules.length > 0) map.set('permissions', permissionsMap(table.rules));
  if (table.relationships.length > 0) {
    map.set('relationships', named(table.relationships));
  }
  if (table.computedFields.length > 0) {
    map.set('computed_fields', named(table.computedFields));
  }
  if (table.events.length > 0) map.set('events', named(table.events));
  return map;
}

function permissionsMap(rules: readonly ImportedRule[]): PlainMap {
  const byRole = Map.groupBy(rules, ({ role }) => role);
  return new Map(
    [...byRole].map(([role, own]) => [
      role,
      new Map(own.map(({ command, body }) => [command, body])),
    ]),
  );
}

function commentOf({ role, command, comment }: ImportedRule): readonly Comment[] {
  return comment === undefined ? [] : [{ path: ['permissions', role, command], text: comment }];
}
