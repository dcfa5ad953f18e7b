import type { ImportReport } from '../import-report.ts';
import type { Plain, PlainMap } from '../imported.ts';
import { type Cursor, field, isEmpty, type Member, members, text } from '../input/cursor.ts';

const rootFields = [
  ...['select', 'select_by_pk', 'select_aggregate', 'insert', 'insert_one'],
  ...['update', 'update_by_pk', 'update_many', 'delete', 'delete_by_pk'],
];

const known = [
  ...['custom_name', 'comment', 'column_config', 'custom_column_names', 'custom_root_fields'],
];

/**
 * Translates the `configuration` of a table to the section `graphql`; empty when the configuration contains no names.
 */
export function translateNames(table: Cursor, label: string, report: ImportReport): PlainMap {
  const configuration = field(table, 'configuration');
  const graphql = new Map<string, Plain>();
  if (!configuration) return graphql;
  report.unknownKeys(members(configuration), known, `${label}, configuration`);
  const name = field(configuration, 'custom_name');
  const comment = field(configuration, 'comment');
  if (name) graphql.set('name', text(name));
  if (comment) graphql.set('description', text(comment));
  const columns = columnNames(configuration, label, report);
  if (columns.size > 0) graphql.set('columns', columns);
  const fields = rootFieldNames(configuration, label, report);
  if (fields.size > 0) graphql.set('root_fields', fields);
  return graphql;
}

/**
 * Returns the names of columns in GraphQL. `column_config` takes precedence over `custom_column_names`, which older
 * versions of Hasura wrote.
 */
function columnNames(configuration: Cursor, label: string, report: ImportReport): PlainMap {
  const found = new Map<string, Plain>();
  for (const { key, value } of present(field(configuration, 'custom_column_names')))
    found.set(key, text(value));
  for (const { key, value } of present(field(configuration, 'column_config'))) {
    report.unknownKeys(members(value), ['custom_name', 'comment'], `${label}, column "${key}"`);
    const name = field(value, 'custom_name');
    const comment = field(value, 'comment');
    const named = name ? text(name) : found.get(key);
    if (comment) found.set(key, described(named, text(comment)));
    else if (named !== undefined) found.set(key, named);
  }
  return found;
}

function described(name: Plain | undefined, description: string): PlainMap {
  return new Map<string, Plain>([
    ...(name === undefined ? [] : [['name', name] as const]),
    ['description', description],
  ]);
}

function rootFieldNames(configuration: Cursor, label: string, report: ImportReport): PlainMap {
  const given = present(field(configuration, 'custom_root_fields'));
  report.unknownKeys(given, rootFields, `${label}, custom_root_fields`);
  const named = rootFields.flatMap((key) => {
    const value = given.find((member) => member.key === key)?.value;
    const name = value && rootField(value, `${label}, root field ${key}`, report);
    return name === undefined ? [] : [[key, name] as const];
  });
  return new Map(named);
}

/** Reads a name, or `{ name, comment }`. */
function rootField(value: Cursor, where: string, report: ImportReport): Plain | undefined {
  if (value.node.kind !== 'map') return text(value);
  report.unknownKeys(members(value), ['name', 'comment'], where);
  const comment = field(value, 'comment');
  const name = field(value, 'name');
  if (comment) return described(name && text(name), text(comment));
  return name && text(name);
}

function present(map: Cursor | undefined): readonly Member[] {
  return members(map).filter(({ value }) => !isEmpty(value));
}
