import type { TSchema } from 'typebox';
import { actionsFile } from './actions/actions.ts';
import { allowListFile } from './allow-list.ts';
import { type FileExample, fileExamples } from './examples.ts';
import { functionFile } from './function.ts';
import { graphileFile } from './graphile.ts';
import { rolesFile } from './roles.ts';
import { settingsFile } from './settings.ts';
import { filtersFile } from './tables/filters.ts';
import { tableFile } from './tables/table.ts';
import { testsFile } from './tests.ts';
import { cronFile } from './webhooks/schedules.ts';

/** The schema of each kind of file. Tables, functions and tests have a pattern instead of a name. */
const files = {
  'roles.yaml': rolesFile,
  'cron.yaml': cronFile,
  'actions.yaml': actionsFile,
  'allow_list.yaml': allowListFile,
  'graphile.yaml': graphileFile,
  'filters.yaml': filtersFile,
  'rowgate.yaml': settingsFile,
  'tables/*.yaml': tableFile,
  'functions/*.yaml': functionFile,
  'tests/*.yaml': testsFile,
} as const satisfies Readonly<Record<string, TSchema>>;

export type FileKind = keyof typeof files;

export const fileKinds = Object.keys(files) as readonly FileKind[];

/** Returns the JSON schemas for editors, by kind of file. */
export function editorSchemas(): Readonly<
  Record<FileKind, TSchema & FileExample & { readonly $schema: string }>
> {
  const forEditor = (kind: FileKind) => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...files[kind],
    ...fileExamples[kind],
  });
  return {
    'roles.yaml': forEditor('roles.yaml'),
    'cron.yaml': forEditor('cron.yaml'),
    'actions.yaml': forEditor('actions.yaml'),
    'allow_list.yaml': forEditor('allow_list.yaml'),
    'graphile.yaml': forEditor('graphile.yaml'),
    'filters.yaml': forEditor('filters.yaml'),
    'rowgate.yaml': forEditor('rowgate.yaml'),
    'tables/*.yaml': forEditor('tables/*.yaml'),
    'functions/*.yaml': forEditor('functions/*.yaml'),
    'tests/*.yaml': forEditor('tests/*.yaml'),
  };
}

/** The folder of the schemas in a metadata folder. Reading the metadata skips names that begin with a dot. */
export const schemaFolder = '.schemas';

/** Returns the file name of a schema: `roles.json`, `tables.json`. */
export function schemaFileName(kind: FileKind): string {
  return `${kind.replace(/(\/\*)?\.yaml$/, '')}.json`;
}

/** Returns the first line of a metadata file, which tells editors its schema by a path relative to the file. */
export function schemaLine(kind: FileKind): string {
  const up = kind.includes('/') ? '../' : '';
  return `# yaml-language-server: $schema=${up}${schemaFolder}/${schemaFileName(kind)}\n`;
}
