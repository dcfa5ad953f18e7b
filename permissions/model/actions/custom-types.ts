import type { Report } from '../../diagnostics.ts';
import { tableNamed } from '../../expressions/resolve/scope.ts';
import type {
  RawCustomType,
  RawEnumType,
  RawObjectType,
  RawTypedName,
  RawTypeRelationship,
} from '../../metadata/schemas/actions/custom-types.ts';
import type { RawName } from '../../metadata/yaml/node.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import type {
  CustomType,
  TypedName,
  TypeReference,
  TypeRelationship,
} from '../../types/actions.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';
import { validGraphqlName } from '../valid-graphql-name.ts';
import { actionScalars, isActionScalar } from './action-scalars.ts';
import { namedTypeOf, parseType } from './parse-type.ts';

/**
 * The direction in which values of a type travel. `input`: from the client to the handler. `output`: from the handler
 * to the client.
 */
export type Direction = 'input' | 'output';

export interface TypeScope {
  readonly types: ReadonlyMap<string, Pick<RawCustomType, 'name' | 'kind'>>;
  readonly tables: ReadonlyMap<TableKey, TableModel>;
  readonly report: Report;
}

/** Resolves the types of custom_types, by name. Reports invalid names, types and relationships. */
export function makeCustomTypes(
  raws: readonly RawCustomType[],
  scope: TypeScope,
): ReadonlyMap<string, CustomType> {
  const types = new Map<string, CustomType>();
  for (const raw of raws) types.set(raw.name, makeCustomType(raw, scope));
  reportEndlessInputs(types, scope.report);
  return types;
}

function makeCustomType(raw: RawCustomType, scope: TypeScope): CustomType {
  const { name, description, position } = raw;
  const head = { name, description: description || undefined, position };
  refuseReserved(raw, scope.report);
  switch (raw.kind) {
    case 'scalar':
      return { ...head, kind: 'scalar' };
    case 'enum':
      return { ...head, kind: 'enum', values: makeValues(raw.values, scope.report) };
    case 'input':
      return { ...head, kind: 'input', fields: makeFields(raw.fields, 'input', scope) };
    case 'object': {
      const fields = makeFields(raw.fields, 'output', scope);
      const relationships = raw.relationships.flatMap(
        (one) => makeTypeRelationship(one, raw, fields, scope) ?? [],
      );
      return { ...head, kind: 'object', fields, relationships };
    }
  }
}

function refuseReserved({ name, position }: RawName, report: Report): void {
  validGraphqlName({ name, position }, report);
  if (!isActionScalar(name)) return;
  const message = `${quote(name)} is a scalar that every action may use, and cannot be defined`;
  report.error('RG_NAME_CONFLICT', position, message, 'leave it out, or call it otherwise');
}

function makeValues(
  values: RawEnumType['values'],
  report: Report,
): ReadonlyMap<string, string | undefined> {
  for (const value of values) validGraphqlName(value, report);
  return new Map(values.map(({ name, description }) => [name, description || undefined]));
}

function makeFields(
  raws: readonly RawTypedName[],
  direction: Direction,
  scope: TypeScope,
): ReadonlyMap<string, TypedName> {
  const fields = raws.flatMap((field) => makeTyped(field, direction, scope) ?? []);
  return new Map(fields.map((field) => [field.name, field]));
}

/** Resolves a field or an argument. Undefined after an invalid name or type, which is reported. */
export function makeTyped(
  { name, position, type, description }: RawTypedName,
  direction: Direction,
  scope: TypeScope,
): TypedName | undefined {
  const own = validGraphqlName({ name, position }, scope.report);
  const found = resolveType(type, direction, scope);
  if (own === undefined || !found) return undefined;
  return { name: own, type: found, description: description || undefined };
}

/** Parses a type. Undefined if the type is unknown or cannot be used in this direction, which is reported. */
export function resolveType(
  { name: text, position }: RawName,
  direction: Direction,
  { types, report }: TypeScope,
): TypeReference | undefined {
  const type = parseType(text);
  if (!type) {
    const message = `${quote(text)} is no type of GraphQL`;
    report.error('RG_UNKNOWN_TYPE', position, message, 'write e.g. uuid!, String or [Refund!]!');
    return undefined;
  }
  const name = namedTypeOf(type);
  const kind = isActionScalar(name) ? 'scalar' : types.get(name)?.kind;
  const wrongKind = direction === 'input' ? 'object' : 'input';
  if (kind === wrongKind) {
    const [from, to] = direction === 'input' ? ['an object', 'given'] : ['an input', 'returned'];
    const message = `${quote(name)} is ${from} type, and cannot be ${to}`;
    const hint = `define it under ${direction === 'input' ? 'input_objects' : 'objects'} by another name`;
    report.error('RG_UNKNOWN_TYPE', position, message, hint);
    return undefined;
  }
  if (kind) return type;
  const hint = didYouMean(name, [...types.keys(), ...actionScalars]);
  const message = `there is no type ${quote(name)}`;
  report.error('RG_UNKNOWN_TYPE', position, message, hint ?? 'define it under custom_types');
  return undefined;
}

function makeTypeRelationship(
  raw: RawTypeRelationship,
  owner: RawObjectType,
  fields: ReadonlyMap<string, TypedName>,
  { tables, report, types }: TypeScope,
): TypeRelationship | undefined {
  const table = tableNamed(raw.table, tables, report);
  const name = validGraphqlName(raw, report);
  if (fields.has(raw.name)) {
    const message = `the type ${quote(owner.name)} has a field ${quote(raw.name)} too`;
    report.error('RG_NAME_CONFLICT', raw.position, message, 'call the relationship otherwise');
  }
  if (!table || !name) return undefined;
  for (const { field, column } of raw.mapping) {
    const known = owner.fields.map((one) => one.name);
    if (!known.includes(field.name)) {
      const message = `the type ${quote(owner.name)} has no field ${quote(field.name)}`;
      report.error('RG_ACTION', field.position, message, didYouMean(field.name, known));
    }
    const type = fields.get(field.name)?.type;
    if (type && (type.kind === 'list' || types.get(type.name)?.kind === 'object')) {
      const message = `the field ${quote(field.name)} is no single value, and equals no column`;
      report.error('RG_ACTION', field.position, message, 'name a field with a scalar or enum');
    }
    if (table.columns.has(column.name)) continue;
    const message = `column ${quote(column.name)} does not exist on ${table.schema}.${table.name}`;
    const near = didYouMean(column.name, table.columns.keys());
    report.error('RG_UNKNOWN_COLUMN', column.position, message, near);
  }
  return {
    name,
    kind: raw.kind,
    table: table.key,
    mapping: raw.mapping.map(({ field, column }) => ({ field: field.name, column: column.name })),
    description: raw.description || undefined,
  };
}

/**
 * Reports input types that require a value of the same type, directly or through other types. No client could write
 * such a value, because it would be infinitely nested.
 */
function reportEndlessInputs(types: ReadonlyMap<string, CustomType>, report: Report): void {
  for (const type of types.values()) {
    const circle = circleFrom(type.name, types);
    if (!circle) continue;
    const path = circle.map(quote).join(' needs ');
    const message = `no value of the input ${quote(type.name)} can be given: ${path}`;
    report.error('RG_ACTION', type.position, message, 'leave "!" out of one of the fields');
  }
}

function circleFrom(
  start: string,
  types: ReadonlyMap<string, CustomType>,
): readonly string[] | undefined {
  const seen = new Set<string>();
  const open: (readonly string[])[] = [[start]];
  for (let path = open.pop(); path; path = open.pop()) {
    for (const next of neededBy(path.at(-1) ?? start, types)) {
      if (next === start) return [...path, next];
      if (!seen.has(next)) open.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

function neededBy(name: string, types: ReadonlyMap<string, CustomType>): readonly string[] {
  const type = types.get(name);
  if (type?.kind !== 'input') return [];
  return [...type.fields.values()].flatMap(({ type: { kind, isRequired, ...rest } }) =>
    kind === 'named' && isRequired && 'name' in rest ? [rest.name] : [],
  );
}
