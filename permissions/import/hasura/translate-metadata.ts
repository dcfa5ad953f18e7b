import { translateActions } from './actions/translate-actions.ts';
import { translateCustomTypes } from './actions/translate-custom-types.ts';
import { translateCron } from './events/translate-cron.ts';
import type { ImportReport } from './import-report.ts';
import type { Imported } from './imported.ts';
import { type Cursor, field, items, required, text, UnreadableInput } from './input/cursor.ts';
import { reportMissingFeatures } from './missing-features.ts';
import { reportConflicts, translateInherited } from './roles/translate-inherited.ts';
import { translateRoleSettings } from './roles/translate-limits.ts';
import { compare } from './rules/translate-permissions.ts';
import { chooseSource, reportSource } from './sources.ts';
import { translateTable } from './tables/translate-table.ts';
import { trackTables } from './track-tables.ts';
import { translateAllowList } from './translate-allow-list.ts';
import { translateFunctions } from './translate-functions.ts';

export interface TranslateOptions {
  /** Prefix of Rowgate's session variables, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /** Name of the database to import; absent: `default`, or the first Postgres database. */
  readonly source: string | undefined;
}

/**
 * Translates Hasura's metadata into an import. Reports everything that is not imported.
 * @throws UnreadableInput when Hasura itself would refuse the metadata
 */
export function translateMetadata(
  root: Cursor,
  options: TranslateOptions,
  report: ImportReport,
): Imported {
  refuseVersion(root);
  reportMissingFeatures(root, report);
  const sources = items(field(root, 'sources'));
  const chosen = chooseSource(sources, options.source);
  for (const source of sources) reportSource(source, source === chosen, options.source, report);
  const tracked = trackTables(chosen ? items(field(chosen, 'tables')) : [], report);
  const { headerPrefix } = options;
  const scope = { tables: tracked, headerPrefix, report, eventNames: new Set<string>() };
  const tables = [...tracked.values()].map((table) => translateTable(table, scope));
  const inheritingRoles = translateInherited(root, report);
  reportConflicts(inheritingRoles, tables, report);
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
