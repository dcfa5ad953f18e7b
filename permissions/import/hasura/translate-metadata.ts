import { translateActions } from './actions/translate-actions.ts';
import { translateCustomTypes } from './actions/translate-custom-types.ts';
import { translateCron } from './events/translate-cron.ts';
import type { ImportReport } from './import-report.ts';
import type { Imported } from './imported.ts';
import { type Cursor, field, items, required, text, UnreadableInput } from './input/cursor.ts';
import { tellMissingFeatures } from './missing-features.ts';
import { tellConflicts, translateInherited } from './roles/translate-inherited.ts';
import { translateRoleSettings } from './roles/translate-limits.ts';
import { compare } from './rules/translate-permissions.ts';
import { chooseSource, reportSource } from './sources.ts';
import { translateTable } from './tables/translate-table.ts';
import { trackTables } from './track-tables.ts';
import { translateAllowList } from './translate-allow-list.ts';
import { translateFunctions } from './translate-functions.ts';

export interface TranslateOptions {
  /** Of our session variables, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /** Name of the database whose tables are wanted; absent: `default`, or the first Postgres. */
  readonly source: string | undefined;
}

/**
 * Hasura's metadata as Rowgate's; everything that does not come over goes to the report.
 * @throws UnreadableInput where Hasura itself would not take it
 */
export function translateMetadata(
  root: Cursor,
  options: TranslateOptions,
  report: ImportReport,
): Imported {
  refuseVersion(root);
  tellMissingFeatures(root, report);
  const sources = items(field(root, 'sources'));
  const chosen = chooseSource(sources, options.source);
  for (const source of sources) reportSource(source, source === chosen, options.source, report);
  const tracked = trackTables(chosen ? items(field(chosen, 'tables')) : [], report);
  const { headerPrefix } = options;
  const scope = { tables: tracked, headerPrefix, report, eventNames: new Set<string>() };
  const tables = [...tracked.values()].map((table) => translateTable(table, scope));
  const inheritingRoles = translateInherited(root, report);
  tellConflicts(inheritingRoles, tables, report);
  const functions = translateFunctions(chosen, { headerPrefix, report });
  const actions = translateActions(root, { headerPrefix, report });
  const source = chosen && text(required(chosen, 'name'));
  const roles = new Set([
    ...actions.flatMap((one) => one.roles),
    ...functions.flatMap((one) => one.roles),
    ...tables.flatMap(({ rules }) => rules.map(({ role }) => role)),
    ...inheritingRoles.flatMap(({ role, inherits }) => [role, ...inherits]),
  ]);
  return {
    tables: tables.toSorted((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name)),
    functions,
    inheritingRoles,
    schedules: translateCron(root, report),
    actions,
    customTypes: translateCustomTypes(root, { source, report }),
    roleSettings: translateRoleSettings(root, [...roles], { headerPrefix, report }),
    allowList: translateAllowList(root, report),
  };
}

function refuseVersion(root: Cursor): void {
  const version = required(root, 'version');
  const { node } = version;
  if (node.kind === 'scalar' && node.value === 3) return;
  throw new UnreadableInput(
    version,
    'only version 3 of the metadata is read, which Hasura 2 exports',
  );
}
