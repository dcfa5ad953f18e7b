import type { GraphQLScalarType } from 'postgraphile/graphql';
import { type ScalarCheck, scalarCheckOf } from '../plugins/scalar-types-plugin.ts';
import { RequestError, validationFailed } from '../request-error.ts';
import { describeGiven, type Given } from './given.ts';

const BUILT_IN: Readonly<Record<string, ScalarCheck>> = {
  Int: { rule: 'integer', labels: undefined },
  Float: { rule: 'float', labels: undefined },
  Boolean: { rule: 'boolean', labels: undefined },
  String: { rule: 'string', labels: undefined },
};

const MAX_INT = 2 ** 31;

type Accepts = { readonly kinds: readonly Given['kind'][]; readonly what: string };

const SCALARS: readonly Given['kind'][] = ['string', 'number', 'boolean', 'enum'];

const ACCEPTS: Readonly<Record<ScalarCheck['rule'], Accepts>> = {
  any: { kinds: SCALARS, what: 'a string' },
  boolean: { kinds: ['boolean'], what: 'a boolean' },
  float: { kinds: ['number'], what: 'a float' },
  integer: { kinds: ['number'], what: 'a 32-bit integer' },
  json: { kinds: [...SCALARS, 'list', 'object'], what: 'a value' },
  label: { kinds: ['string', 'enum'], what: 'a string' },
  ltree: { kinds: ['string'], what: 'a string' },
  number: { kinds: ['number', 'string'], what: 'a number' },
  string: { kinds: ['string'], what: 'a string' },
};

/** What else the types of columns accept. */
const READ_BY_POSTGRES: Partial<Record<ScalarCheck['rule'], readonly Given['kind'][]>> = {
  boolean: ['string'],
  float: ['string'],
  integer: ['string'],
  string: ['enum'],
};

/**
 * Checks a value that is neither null nor a variable. Of a column, a number or truth value may be a string, and a
 * mistake is one of parsing.
 */
export function checkScalar(
  given: Given,
  type: GraphQLScalarType,
  path: string,
  ofColumn: boolean,
): void {
  const { name } = type;
  const { rule, labels } = BUILT_IN[name] ??
    scalarCheckOf(type) ?? { rule: 'any', labels: undefined };
  if (ofColumn && READ_BY_POSTGRES[rule]?.includes(given.kind)) return;
  if (!ACCEPTS[rule].kinds.includes(given.kind)) {
    const error = expected(ACCEPTS[rule].what, name, given, path);
    throw ofColumn ? new RequestError('parse-failed', error.message, path) : error;
  }
  if (rule === 'integer') checkInteger(given, path);
  else if (rule === 'label') checkLabel(given, labels ?? [], name, path);
  else if (rule === 'ltree') checkLtree(given, path);
}

/** `expected a string for type 'String', but found a list` */
export function expected(what: string, type: string, given: Given, path: string): RequestError {
  return validationFailed(
    `expected ${what} for type '${type}', but found ${describeGiven(given)}`,
    path,
  );
}

/** `expected one of the values ['a', 'b'] for type 't', but found 'c'` */
export function oneOf(names: readonly string[], type: string, found: string): string {
  const list = names.map((name) => `'${name}'`).join(', ');
  return `expected one of the values [${list}] for type '${type}', but found '${found}'`;
}

/** Checks `limit` and `offset`; an offset may be a string, as it may be larger than an Int. */
export function checkPaging(given: Given, argument: 'limit' | 'offset', path: string): void {
  if (given.kind === 'null') return;
  const isOffset = argument === 'offset';
  const text = pagingText(given, isOffset);
  if (text === undefined) {
    throw expected(isOffset ? OFFSET : 'a non-negative 32-bit integer', 'Int', given, path);
  }
  if (text.startsWith('-')) throw validationFailed('unexpected negative value', path);
  const value = Number(text);
  if (Number.isInteger(value) && value < (isOffset ? Number.MAX_SAFE_INTEGER : MAX_INT)) return;
  throw outOfRange(text, path);
}

const OFFSET = 'a 32-bit integer, or a 64-bit integer represented as a string';

function pagingText(given: Given, isOffset: boolean): string | undefined {
  if (given.kind === 'number' && (isOffset || !given.text.startsWith('-'))) return given.text;
  const isText = isOffset && given.kind === 'string' && /^\d+$/.test(given.text);
  return isText ? given.text : undefined;
}

function checkInteger(given: Given, path: string): void {
  if (given.kind !== 'number') return;
  const value = Number(given.text);
  if (!Number.isInteger(value) || value < -MAX_INT || value >= MAX_INT)
    throw outOfRange(given.text, path);
}

// Hasura's own words, which clients may look for.
function outOfRange(text: string, path: string): RequestError {
  const message = `The value ${scientific(Number(text))} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`;
  return new RequestError('parse-failed', message, path);
}

// `2.147483648e9`, `1.5`
function scientific(value: number): string {
  const size = Math.abs(value);
  const isPlain = value === 0 || (size >= 0.1 && size < 1e7);
  const [digits = '', exponent] = (isPlain ? String(value) : value.toExponential()).split('e');
  const mantissa = digits.includes('.') ? digits : `${digits}.0`;
  return exponent === undefined ? mantissa : `${mantissa}e${Number(exponent)}`;
}

function checkLabel(given: Given, labels: readonly string[], name: string, path: string): void {
  if (given.kind !== 'string' && given.kind !== 'enum') return;
  if (!labels.includes(given.text)) throw validationFailed(oneOf(labels, name, given.text), path);
}

function checkLtree(given: Given, path: string): void {
  if (given.kind !== 'string') return;
  if (/^([\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*)?$/u.test(given.text)) return;
  throw new RequestError('parse-failed', LTREE_MESSAGE, path);
}

// Hasura's own words, likewise.
const LTREE_MESSAGE =
  'Expecting label path: a sequence of zero or more labels separated by dots, for example L1.L2.L3';
