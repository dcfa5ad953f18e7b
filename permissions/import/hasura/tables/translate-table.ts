import { quote } from '../../../text/characters.ts';
import { operations } from '../../../types/rules.ts';
import { type EventScope, translateEvents } from '../events/translate-event.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportedTable } from '../imported.ts';
import {
  type Cursor,
  field,
  flag,
  isEmpty,
  items,
  members,
  required,
  text,
} from '../input/cursor.ts';
import {
  compare,
  type PermissionScope,
  translatePermissions,
} from '../rules/translate-permissions.ts';
import { tableLabel } from '../table-name.ts';
import type { TrackedTable } from '../track-tables.ts';
import { translateComputedFields } from './translate-computed.ts';
import { translateNames } from './translate-names.ts';

const known = [
  ...['table', 'configuration', 'object_relationships', 'array_relationships', 'is_enum'],
  ...['computed_fields', 'event_triggers'],
  ...operations.map((command) => `${command}_permissions`),
];

/** Features of tables that Hasura has and Rowgate does not: for each key, a description and an instruction. */
const features: Readonly<Record<string, readonly [string, string]>> = {
  remote_relationships: ['the remote relationship', 'join in the client'],
};

/** Translates a tracked table with its rules. */
export function translateTable(
  table: TrackedTable,
  scope: PermissionScope & EventScope,
): ImportedTable {
  const { schema, name, from } = table;
  const { report } = scope;
  const label = tableLabel(table);
  for (const { key, value } of members(from)) {
    if (known.includes(key) || isEmpty(value)) continue;
    const feature = Object.hasOwn(features, key) ? features[key] : undefined;
    if (feature) tellEach(value, label, feature, report);
    else if (key === 'apollo_federation_config')
      report.add('feature', value, `${label}: it is no entity of Apollo Federation here`);
    else report.unknownKeys([{ key, value }], [], label);
  }
  const isEnum = field(from, 'is_enum');
  return {
    schema,
    name,
    isEnum: isEnum !== undefined && flag(isEnum),
    from,
    graphql: translateNames(from, label, report),
    relationships: [...table.relationships.values()].toSorted((a, b) => compare(a.name, b.name)),
    computedFields: translateComputedFields(from, label, scope),
    rules: translatePermissions(table, scope),
    events: translateEvents(from, label, scope),
  };
}

function tellEach(
  list: Cursor,
  label: string,
  [what, hint]: readonly [string, string],
  report: ImportReport,
): void {
  for (const item of items(list)) {
    const message = `${label}: ${what} ${quote(text(required(item, 'name')))} is not imported`;
    report.add('feature', item, message, hint);
  }
}
