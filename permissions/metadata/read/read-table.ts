import type { Position, Report } from '../../diagnostics.ts';
import type {
  RawColumns,
  RawInsert,
  RawPermissions,
  RawPreset,
  RawSelect,
  RawTable,
  RawUpdate,
} from '../raw.ts';
import { queryFieldKeys } from '../schemas/graphql-schema.ts';
import type { RawEntry, RawNode } from '../yaml/node.ts';
import { entriesOf, fieldOf, itemsOf, keyOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';
import { readComputedField } from './read-computed-field.ts';
import { readEvent } from './read-event.ts';
import { readGraphql } from './read-graphql.ts';
import { readRelationship } from './read-relationship.ts';
import { readTableName } from './read-table-name.ts';

/** A valid file of tables/. What its schema cannot say (dots in names, kinds of relationship) is reported. */
export function readTable(file: string, root: RawNode, report: Report): RawTable | undefined {
  const table = readTableName(requiredFieldOf(root, 'table'), report);
  const relationships = entriesOf(fieldOf(root, 'relationships')).map((entry) =>
    readRelationship(entry, report),
  );
  const computed = entriesOf(fieldOf(root, 'computed_fields')).map((entry) =>
    readComputedField(entry, report),
  );
  const events = entriesOf(fieldOf(root, 'events')).map((entry) => readEvent(entry, report));
  if (!table) return undefined;
  return {
    file,
    schema: table.schema,
    name: table.table,
    position: table.position,
    enumPosition: enumPositionOf(fieldOf(root, 'is_enum')),
    graphql: readGraphql(fieldOf(root, 'graphql')),
    // The schema knows no other setting of a column, and no other value of this one.
    withoutStatistics: entriesOf(fieldOf(root, 'columns')).map(keyOf),
    permissions: entriesOf(fieldOf(root, 'permissions')).map(readPermissions),
    relationships: relationships.filter((relationship) => relationship !== undefined),
    computedFields: computed.filter((field) => field !== undefined),
    withoutRelationships: itemsOf(fieldOf(root, 'without_relationships')).map(nameOf),
    events,
  };
}

function readPermissions(entry: RawEntry): RawPermissions {
  const rule = <T>(command: string, read: (rule: RawEntry) => T): T | undefined => {
    const found = entriesOf(entry.value).find(({ key }) => key === command);
    return found && read(found);
  };
  return {
    role: keyOf(entry),
    select: rule('select', readSelect),
    insert: rule('insert', readInsert),
    update: rule('update', readUpdate),
    delete: rule('delete', ({ value, keyPosition }) => ({
      position: keyPosition,
      filter: requiredFieldOf(value, 'filter'),
      backendOnly: isOn(fieldOf(value, 'backend_only')),
    })),
  };
}

function readSelect({ value, keyPosition }: RawEntry): RawSelect {
  const limit = fieldOf(value, 'limit');
  const computed = fieldOf(value, 'computed_fields');
  const fields = fieldOf(value, 'query_root_fields');
  const queryFields = fields && itemsOf(fields).map((field) => nameOf(field).name);
  return {
    position: keyPosition,
    filter: requiredFieldOf(value, 'filter'),
    columns: readColumns(requiredFieldOf(value, 'columns')),
    computedFields: computed && readColumns(computed),
    allowAggregations: isOn(fieldOf(value, 'allow_aggregations')),
    queryFields: queryFields && queryFieldKeys.filter((key) => queryFields.includes(key)),
    limit: limit?.kind === 'scalar' ? Number(limit.value) : undefined,
  };
}

function readInsert({ value, keyPosition }: RawEntry): RawInsert {
  return {
    position: keyPosition,
    check: requiredFieldOf(value, 'check'),
    set: readPresets(fieldOf(value, 'set')),
    columns: readColumns(requiredFieldOf(value, 'columns')),
    backendOnly: isOn(fieldOf(value, 'backend_only')),
  };
}

function readUpdate({ value, keyPosition }: RawEntry): RawUpdate {
  return {
    position: keyPosition,
    filter: requiredFieldOf(value, 'filter'),
    check: fieldOf(value, 'check'),
    set: readPresets(fieldOf(value, 'set')),
    columns: readColumns(requiredFieldOf(value, 'columns')),
    backendOnly: isOn(fieldOf(value, 'backend_only')),
  };
}

function enumPositionOf(node: RawNode | undefined): Position | undefined {
  return isOn(node) ? node?.position : undefined;
}

function isOn(node: RawNode | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true;
}

function readPresets(node: RawNode | undefined): readonly RawPreset[] {
  return entriesOf(node).map((entry) => ({ ...keyOf(entry), value: entry.value }));
}

function readColumns(node: RawNode): RawColumns {
  if (node.kind === 'scalar') return { kind: 'all', position: node.position };
  return { kind: 'list', names: itemsOf(node).map(nameOf), position: node.position };
}
