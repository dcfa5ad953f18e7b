import type { TSchema } from 'typebox';
import { actionsFile } from './actions/actions.ts';
import { allowListFile } from './allow-list.ts';
import { functionFile } from './function.ts';
import { graphileFile } from './graphile.ts';
import { rolesFile } from './roles.ts';
import { settingsFile } from './settings.ts';
import { filtersFile } from './tables/filters.ts';
import { tableFile } from './tables/table.ts';
import { cronFile } from './webhooks/schedules.ts';

/** Returns the JSON schemas that editors use for completion, by the name or pattern of the files that they describe. */
export function editorSchemas(): Readonly<Record<string, TSchema & { readonly $schema: string }>> {
  const forEditor = <T extends TSchema>(schema: T) => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
  });
  return {
    'roles.yaml': forEditor(rolesFile),
    'cron.yaml': forEditor(cronFile),
    'actions.yaml': forEditor(actionsFile),
    'allow_list.yaml': forEditor(allowListFile),
    'graphile.yaml': forEditor(graphileFile),
    'filters.yaml': forEditor(filtersFile),
    'rowgate.yaml': forEditor(settingsFile),
    'tables/*.yaml': forEditor(tableFile),
    'functions/*.yaml': forEditor(functionFile),
  };
}
