import { isActionScalar } from '../../../model/actions/action-scalars.ts';
import { quote } from '../../../text/characters.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportedCustomType, Plain, PlainMap } from '../imported.ts';
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
import { readTableName, tableNode } from '../table-name.ts';

interface TypesScope {
  /** Name of the imported database. */
  readonly source: string | undefined;
  readonly report: ImportReport;
}

const lists = ['objects', 'input_objects', 'enums', 'scalars'] as const;

const knownKeys: Readonly<Record<(typeof lists)[number], readonly string[]>> = {
  objects: ['name', 'description', 'fields', 'relationships'],
  input_objects: ['name', 'description', 'fields'],
  enums: ['name', 'description', 'values'],
  scalars: ['name', 'description'],
};

/** Translates `custom_types` to the types of actions.yaml. */
export function translateCustomTypes(
  root: Cursor,
  scope: TypesScope,
): readonly ImportedCustomType[] {
  const types = field(root, 'custom_types');
  scope.report.unknownKeys(members(types), lists, 'custom_types');
  return lists.flatMap((list) =>
    items(types && field(types, list)).flatMap((from) => {
      const name = text(required(from, 'name'));
      const where = `the type ${quote(name)}`;
      scope.report.unknownKeys(members(from), knownKeys[list], where);
      // A scalar of Postgres needs no definition in Rowgate.
      if (list === 'scalars' && isActionScalar(name)) return [];
      return [{ list, name, body: bodyOf(from, list, where, scope), from }];
    }),
  );
}

function bodyOf(
  from: Cursor,
  list: (typeof lists)[number],
  where: string,
  scope: TypesScope,
): PlainMap {
  const body = new Map<string, Plain>(descriptionOf(from));
  if (list === 'objects' || list === 'input_objects') {
    body.set('fields', typedMap(field(from, 'fields'), where, scope.report));
  }
  if (list === 'enums') body.set('values', valuesOf(from, where, scope.report));
  const relationships = items(field(from, 'relationships')).flatMap((one) =>
    relationshipOf(one, where, scope),
  );
  if (relationships.length > 0) body.set('relationships', new Map(relationships));
  return body;
}

function descriptionOf(from: Cursor): readonly (readonly [string, string])[] {
  const description = field(from, 'description');
  return description && !isEmpty(description) ? [['description', text(description)]] : [];
}

/** Translates fields or arguments to a map from their names to their types. */
export function typedMap(list: Cursor | undefined, where: string, report: ImportReport): PlainMap {
  return new Map(
    items(list).map((one) => {
      const name = text(required(one, 'name'));
      // For a field without arguments, Hasura's command line writes null.
      const given = members(one).filter(({ value }) => !isEmpty(value));
      report.unknownKeys(given, ['name', 'type', 'description'], `${where}, ${quote(name)}`);
      const type = text(required(one, 'type'));
      const description = descriptionOf(one);
      return [name, description.length > 0 ? new Map([['type', type], ...description]) : type];
    }),
  );
}

function valuesOf(from: Cursor, where: string, report: ImportReport): Plain {
  const values = items(field(from, 'values')).map((one) => {
    const value = required(one, 'value');
    report.unknownKeys(members(one), ['value', 'description', 'is_deprecated'], where);
    if (flag(field(one, 'is_deprecated'))) {
      report.add('change', one, `${where}: the value ${quote(text(value))} is not deprecated here`);
    }
    return [text(value), descriptionOf(one)[0]?.[1] ?? null] as const;
  });
  return values.some(([, description]) => description !== null)
    ? new Map(values)
    : values.map(([value]) => value);
}

function relationshipOf(
  from: Cursor,
  where: string,
  { source, report }: TypesScope,
): readonly (readonly [string, PlainMap])[] {
  const name = text(required(from, 'name'));
  const label = `${where}, relationship ${quote(name)}`;
  const known = ['name', 'type', 'remote_table', 'field_mapping', 'source', 'description'];
  report.unknownKeys(members(from), known, label);
  const other = field(from, 'source');
  if (other && source !== undefined && text(other) !== source) {
    report.add('feature', from, `${label} is left out: it leads to another database`);
    return [];
  }
  const mapping = members(required(from, 'field_mapping'));
  const body = new Map<string, Plain>([
    ['table', tableNode(readTableName(required(from, 'remote_table')))],
    ['field_mapping', new Map(mapping.map(({ key, value }) => [key, text(value)]))],
  ]);
  if (text(required(from, 'type')) === 'array') body.set('kind', 'array');
  return [[name, body]];
}
