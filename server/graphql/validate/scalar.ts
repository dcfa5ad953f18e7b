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

const ACCEPTS: Readonly<
  Record<Exclude<ScalarCheck['rule'], 'integer' | 'label' | 'ltree'>, Accepts>
> = {
  any: { kinds: SCALARS, what: 'a string' },
  boolean: { kinds: ['boolean'], what: 'a boolean' },
  float: { kinds: ['number'], what: 'a float' },
  json: { kinds: [...SCALARS, 'list', 'object'], what: 'a value' },
  number: { kinds: ['number', 'string'], what: 'a number' },
  string: { kinds: ['string'], what: 'a string' },
};

/** Checks a value that is neither null nor a variable. */
export function checkScalar(given: Given, type: GraphQLScalarType, path: string): void {
  const { name } = type;
  const { rule, labels } = BUILT_IN[name] ??
    scalarCheckOf(type) ?? { rule: 'any', labels: undefined };
  if (rule === 'integer') checkInteger(given, name, path);
  else if (rule === 'label') checkLabel(given, labels ?? [], name, path);
  else if (rule === 'ltree') checkLtree(given, name, path);
  else if (!ACCEPTS[rule].kinds.includes(given.kind)) {
    throw expected(ACCEPTS[rule].what, name, given, path);
  }
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
  const text =
    given.kind === 'number' || (given.kind === 'string' && argument === 'offset')
      ? given.text
      : undefined;
  if (text === undefined) {
    throw expected('a non-negative 32-bit integer', 'Int', given, path);
  }
  if (/^-\d+$/.test(text)) throw validationFailed('unexpected negative value', path);
  const limit = argument === 'limit' ? MAX_INT : Number.MAX_SAFE_INTEGER;
  if (!/^\d+$/.test(text) || Number(text) >= limit) throw outOfRange(text, path);
}

function checkInteger(given: Given, name: string, path: string): void {
  if (given.kind !== 'number') throw expected('a 32-bit integer', name, given, path);
  const value = Number(given.text);
  if (!Number.isInteger(value) || value < -MAX_INT || value >= MAX_INT)
    throw outOfRange(given.text, path);
}

function outOfRange(text: string, path: string): RequestError {
  return new RequestError('parse-failed', `${text} is not an integer of 32 bits`, path);
}

function checkLabel(given: Given, labels: readonly string[], name: string, path: string): void {
  if (given.kind !== 'string' && given.kind !== 'enum')
    throw expected('a string', name, given, path);
  if (!labels.includes(given.text)) throw validationFailed(oneOf(labels, name, given.text), path);
}

function checkLtree(given: Given, name: string, path: string): void {
  if (given.kind !== 'string') throw expected('a string', name, given, path);
  if (/^([\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*)?$/u.test(given.text)) return;
  throw new RequestError('parse-failed', LTREE_MESSAGE, path);
}

// Hasura's own words, which clients may look for.
const LTREE_MESSAGE =
  'Expecting label path: a sequence of zero or more labels separated by dots, for example L1.L2.L3';
