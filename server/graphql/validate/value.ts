import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLList,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
} from 'postgraphile/graphql';
import { tooManyParts } from '../limits/condition-parts.ts';
import { type RequestError, validationFailed } from '../request-error.ts';
import { scalarCheckOf } from '../schema/plugins/scalar-types-plugin.ts';
import type { ClientValue } from './client-value.ts';
import { checkScalar, expected, oneOf } from './scalar.ts';
import { checkText } from './storable-text.ts';
import { targetOfField, type ValueTarget } from './value-target.ts';

/** A value's place in the operation, and the expected type. */
export interface ValuePlace {
  readonly type: GraphQLInputType;
  readonly path: string;
  readonly target: ValueTarget;
}

/** The place of a variable. With `rejectsNull`, null is an error even if the type allows it. */
export interface VariablePlace extends ValuePlace {
  readonly name: string;
  readonly rejectsNull: boolean;
}

/** The context of a value that is checked. */
export interface ValueContext {
  /** Text after messages about unknown names, which mentions that the role may lack permission. Empty for admin. */
  readonly hint: string;
  /** Called for each variable inside the value. */
  onVariable(place: VariablePlace): void;
  /**
   * Number of items that lists of conditions and orderings may still contain, over all values that are checked with
   * this context.
   */
  left: number;
}

const PART_OF_CONDITION = /_(bool_exp|order_by)$/;

/** Checks a value against a type. @throws RequestError at the first mistake, with its path */
export function checkValue(given: ClientValue, place: ValuePlace, context: ValueContext): void {
  const { type, path, target } = place;
  const { kind } = given;
  if (kind === 'variable') context.onVariable({ ...place, name: given.name, rejectsNull: false });
  else if (isNonNullType(type)) {
    if (kind === 'null') throw nullFor(type.ofType, path);
    checkValue(given, { ...place, type: type.ofType }, context);
  } else if (kind === 'null') checkNull(type, path);
  else if (isListType(type)) checkList(given, type, place, context);
  else if (isInputObjectType(type)) checkObject(given, type, path, context);
  else if (isEnumType(type)) checkEnum(given, type, path, context);
  else checkScalar(given, type, path, target !== 'graphql');
}

function checkList(
  given: ClientValue,
  type: GraphQLList<GraphQLInputType>,
  place: ValuePlace,
  context: ValueContext,
): void {
  const element = type.ofType;
  if (given.kind === 'list' && PART_OF_CONDITION.test(getNamedType(element).name)) {
    context.left -= given.items.length;
    if (context.left < 0) throw tooManyParts(place.path);
  }
  // Accepts an array in Postgres's own notation, `{a,b}`.
  if (given.kind === 'string' && place.target === 'array-column' && isScalarType(element)) {
    checkText(given, place.path);
    return;
  }
  for (const [item, path] of itemsOf(given, place.path)) {
    const itemType = isDimension(item, element) ? type : element;
    checkValue(item, { ...place, type: itemType, path }, context);
  }
}

// A single value counts as a list of one item.
function itemsOf(given: ClientValue, path: string): readonly (readonly [ClientValue, string])[] {
  if (given.kind !== 'list') return [[given, `${path}[0]`]];
  return given.items.map((item, index) => [item, `${path}[${index}]`]);
}

// Returns true if a nested list is a further dimension of an array column. For a column of JSON values, a nested list
// is one JSON value.
function isDimension(item: ClientValue, element: GraphQLInputType): boolean {
  return item.kind === 'list' && isScalarType(element) && scalarCheckOf(element)?.rule !== 'json';
}

/** Makes the error for `null` in a comparison. Hasura refuses it, because `= null` is never true. */
export function unexpectedNull(type: GraphQLInputType, path: string) {
  return validationFailed(`unexpected null value for type '${getNamedType(type).name}'`, path);
}

// Refuses a null condition, because it would silently select all rows.
function checkNull(type: GraphQLInputType, path: string): void {
  if (/_(bool|comparison|cast)_exp$|_aggregate_bool_exp_\w+$/.test(getNamedType(type).name))
    throw nullFor(type, path);
}

function nullFor(type: GraphQLInputType, path: string): RequestError {
  if (isListType(type)) return validationFailed('expected a list, but found null', path);
  if (isInputObjectType(type)) return expected('an object', type.name, { kind: 'null' }, path);
  if (isEnumType(type)) return expected('an enum value', type.name, { kind: 'null' }, path);
  return unexpectedNull(type, path);
}

function checkObject(
  given: ClientValue,
  type: GraphQLInputObjectType,
  path: string,
  context: ValueContext,
): void {
  if (given.kind !== 'object') throw expected('an object', type.name, given, path);
  const fields = type.getFields();
  const names = given.fields.map(([name]) => name);
  const unknown = names.find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    const message = `field '${unknown}' not found in type: '${type.name}'${context.hint}`;
    throw validationFailed(message, `${path}.${unknown}`);
  }
  for (const field of Object.values(fields)) {
    if (names.includes(field.name) || !isRequiredInputField(field)) continue;
    throw validationFailed(`missing required field '${field.name}'`, `${path}.${field.name}`);
  }
  if (type.isOneOf && names.length !== 1) {
    throw validationFailed('exactly one predicate should be specified', path);
  }
  for (const [name, value] of given.fields) {
    const field = fields[name];
    if (!field) continue;
    const at = `${path}.${name}`;
    const place = { type: field.type, path: at, target: targetOfField(type, field) };
    if (type.name.endsWith('_comparison_exp')) checkOperand(value, place, context);
    else checkValue(value, place, context);
  }
}

function checkOperand(given: ClientValue, place: ValuePlace, context: ValueContext): void {
  if (given.kind === 'null') throw unexpectedNull(place.type, place.path);
  if (given.kind === 'variable') {
    context.onVariable({ ...place, name: given.name, rejectsNull: true });
  } else checkValue(given, place, context);
}

function checkEnum(
  given: ClientValue,
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
