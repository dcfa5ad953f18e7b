import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
} from 'postgraphile/graphql';
import { scalarCheckOf } from '../plugins/scalar-types-plugin.ts';
import { validationFailed } from '../request-error.ts';
import type { Given } from './given.ts';
import { checkScalar, expected, oneOf } from './scalar.ts';

/** What the check of a value needs to know beyond the value itself. */
export interface ValueContext {
  /** Follows messages about names that are not there; empty for admin. */
  readonly hint: string;
  /** Called for each variable inside the value; `rejectsNull` where null is an error although the type allows it. */
  onVariable(name: string, type: GraphQLInputType, path: string, rejectsNull: boolean): void;
}

/** Checks a value against a type. @throws RequestError at the first mistake, with its path */
export function checkValue(
  given: Given,
  type: GraphQLInputType,
  path: string,
  context: ValueContext,
): void {
  if (given.kind === 'variable') context.onVariable(given.name, type, path, false);
  else if (isNonNullType(type)) {
    if (given.kind === 'null') throw unexpectedNull(type.ofType, path);
    checkValue(given, type.ofType, path, context);
  } else if (given.kind === 'null') checkNull(type, path);
  else if (isListType(type)) {
    itemsOf(given, path).forEach(([item, place]) => {
      checkValue(item, isDimension(item, type.ofType) ? type : type.ofType, place, context);
    });
  } else if (isInputObjectType(type)) checkObject(given, type, path, context);
  else if (isEnumType(type)) checkEnum(given, type, path, context);
  else checkScalar(given, type, path);
}

// One value may stand for a list of one.
function itemsOf(given: Given, path: string): readonly (readonly [Given, string])[] {
  if (given.kind !== 'list') return [[given, path]];
  return given.items.map((item, index) => [item, `${path}[${index}]`]);
}

// Lists in the list of an array column are further dimensions of the array, unless its elements are JSON.
function isDimension(item: Given, element: GraphQLInputType): boolean {
  return item.kind === 'list' && isScalarType(element) && scalarCheckOf(element)?.rule !== 'json';
}

/** `null` in a comparison; in Hasura it is an error, since `= null` is never true. */
export function unexpectedNull(type: GraphQLInputType, path: string) {
  return validationFailed(`unexpected null value for type '${getNamedType(type).name}'`, path);
}

// A filter that is null would silently be no filter.
function checkNull(type: GraphQLInputType, path: string): void {
  const { name } = getNamedType(type);
  if (!/_(bool|comparison|cast)_exp$/.test(name)) return;
  throw expected(isListType(type) ? 'a list' : 'an object', name, { kind: 'null' }, path);
}

function checkObject(
  given: Given,
  type: GraphQLInputObjectType,
  path: string,
  context: ValueContext,
): void {
  if (given.kind !== 'object') throw expected('an object', type.name, given, path);
  const fields = type.getFields();
  const names = new Set(given.fields.map(([name]) => name));
  for (const field of Object.values(fields)) {
    if (isRequiredInputField(field) && !names.has(field.name)) {
      throw validationFailed(`missing required field '${field.name}'`, path);
    }
  }
  for (const [name, value] of given.fields) {
    const field = fields[name];
    const place = `${path}.${name}`;
    if (!field) {
      throw validationFailed(
        `field '${name}' not found in type: '${type.name}'${context.hint}`,
        place,
      );
    }
    if (type.name.endsWith('_comparison_exp')) checkOperand(value, field.type, place, context);
    else checkValue(value, field.type, place, context);
  }
}

function checkOperand(
  given: Given,
  type: GraphQLInputType,
  path: string,
  context: ValueContext,
): void {
  if (given.kind === 'null') throw unexpectedNull(type, path);
  if (given.kind === 'variable') context.onVariable(given.name, type, path, true);
  else checkValue(given, type, path, context);
}

function checkEnum(
  given: Given,
  type: GraphQLEnumType,
  path: string,
  { hint }: ValueContext,
): void {
  const isName = given.kind === 'enum' || (given.kind === 'string' && !given.fromDocument);
  if (!isName) throw expected('an enum value', type.name, given, path);
  if (type.getValue(given.text)) return;
  const names = type.getValues().map(({ name }) => name);
  throw validationFailed(`${oneOf(names, type.name, given.text)}${hint}`, path);
}
