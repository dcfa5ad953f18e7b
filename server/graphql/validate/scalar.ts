import type { GraphQLScalarType } from 'postgraphile/graphql';
import { withoutTrailingZeros } from '../../trailing-zeros.ts';
import { RequestError, validationFailed } from '../request-error.ts';
import { type ScalarCheck, scalarCheckOf } from '../schema/plugins/scalar-types-plugin.ts';
import { type ClientValue, describeClientValue } from './client-value.ts';
import { checkText } from './storable-text.ts';

const BUILT_IN: ReadonlyMap<string, ScalarCheck> = new Map([
  ['Int', plain('integer')],
  ['Float', plain('float')],
  ['Boolean', plain('boolean')],
  ['String', plain('string')],
]);

/** A check with the name of the type for errors. */
type NamedCheck = ScalarCheck & { readonly name: string };

const MAX_INT = 2 ** 31;

type Accepts = { readonly kinds: readonly ClientValue['kind'][]; readonly what: string };

const SCALARS: readonly ClientValue['kind'][] = ['string', 'number', 'boolean', 'enum'];

const ACCEPTS: Readonly<Record<ScalarCheck['rule'], Accepts>> = {
  any: { kinds: SCALARS, what: 'a string' },
  boolean: { kinds: ['boolean'], what: 'a boolean' },
  float: { kinds: ['number'], what: 'a float' },
  integer: { kinds: ['number'], what: 'a 32-bit integer' },
  json: { kinds: [...SCALARS, 'list', 'object'], what: 'a value' },
  label: { kinds: ['string', 'enum'], what: 'a string' },
  hstore: { kinds: ['string', 'object'], what: 'an object' },
  ltree: { kinds: ['string'], what: 'a string' },
  record: { kinds: ['string', 'object'], what: 'an object' },
  number: { kinds: ['number', 'string'], what: 'a number' },
  string: { kinds: ['string'], what: 'a string' },
};

/** Additional kinds of input that Rowgate accepts for values of columns, because Postgres converts them. */
const READ_BY_POSTGRES: Partial<Record<ScalarCheck['rule'], readonly ClientValue['kind'][]>> = {
  boolean: ['string'],
  float: ['string'],
  integer: ['string'],
  string: ['enum'],
};

/**
 * Checks a value that is neither null nor a variable. For a column, a string may represent a number or a boolean, and
 * the error for a wrong kind of value has the code parse-failed.
 */
export function checkScalar(
  given: ClientValue,
  type: GraphQLScalarType,
  path: string,
  ofColumn: boolean,
): void {
  const { name } = type;
  checkText(given, path);
  checkAs(
    { name, ...(BUILT_IN.get(name) ?? scalarCheckOf(type) ?? plain('any')) },
    given,
    path,
    ofColumn,
  );
}

function plain(rule: ScalarCheck['rule']): ScalarCheck {
  return { rule, labels: undefined, members: undefined };
}

function checkAs(scalar: NamedCheck, given: ClientValue, path: string, ofColumn: boolean): void {
  const { name, rule, labels } = scalar;
  if (ofColumn && READ_BY_POSTGRES[rule]?.includes(given.kind)) return;
  if (!ACCEPTS[rule].kinds.includes(given.kind)) {
    const error = expected(ACCEPTS[rule].what, name, given, path);
    throw ofColumn ? new RequestError('parse-failed', error.message, path) : error;
  }
  if (rule === 'integer') checkInteger(given, path);
  else if (rule === 'label') checkLabel(given, labels ?? [], name, path);
  else if (rule === 'ltree') checkLtree(given, path);
  else if (rule === 'record') checkRecord(given, scalar, path);
  else if (rule === 'hstore') checkPairs(given, path);
}

// The value of a variable inside a list or object is not known yet. It is checked when it is encoded for Postgres.
function isKnown({ kind }: ClientValue): boolean {
  return kind !== 'null' && kind !== 'variable';
}

function checkRecord(given: ClientValue, { name, members }: NamedCheck, path: string): void {
  if (given.kind !== 'object' || !members) return;
  for (const [key, item] of given.fields) {
    const at = `${path}.${key}`;
    const member = members.get(key);
    if (!member) throw new RequestError('parse-failed', `type '${name}' has no field '${key}'`, at);
    if (member.isArray) checkItems(item, member, at);
    else if (isKnown(item)) checkAs(member, item, at, true);
  }
}

// Checks the value of an array field of a composite type. As for array columns, a string is an array in Postgres's
// notation, e.g. `{a,b}`, and nested lists are further dimensions.
function checkItems(given: ClientValue, scalar: NamedCheck, path: string): void {
  if (given.kind === 'string') return;
  const items = given.kind === 'list' ? given.items : [given];
  for (const [index, item] of items.entries()) {
    const at = `${path}[${index}]`;
    if (item.kind === 'list' && scalar.rule !== 'json') checkItems(item, scalar, at);
    else if (isKnown(item)) checkAs(scalar, item, at, true);
  }
}

function checkPairs(given: ClientValue, path: string): void {
  if (given.kind !== 'object') return;
  for (const [key, item] of given.fields) {
    if (isKnown(item)) checkAs({ name: 'String', ...plain('any') }, item, `${path}.${key}`, true);
  }
}

/** Makes an error such as `expected a string for type 'String', but found a list`. */
export function expected(
  what: string,
  type: string,
  given: ClientValue,
  path: string,
): RequestError {
  return validationFailed(
    `expected ${what} for type '${type}', but found ${describeClientValue(given)}`,
    path,
  );
}

/** Makes a message such as `expected one of the values ['a', 'b'] for type 't', but found 'c'`. */
export function oneOf(names: readonly string[], type: string, found: string): string {
  const list = names.map((name) => `'${name}'`).join(', ');
  return `expected one of the values [${list}] for type '${type}', but found '${found}'`;
}

/** Checks `limit` or `offset`. An offset may be a string, since it can exceed the range of Int. */
export function checkPaging(given: ClientValue, argument: 'limit' | 'offset', path: string): void {
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

function pagingText(given: ClientValue, isOffset: boolean): string | undefined {
  if (given.kind === 'number' && (isOffset || !given.text.startsWith('-'))) return given.text;
  const isText = isOffset && given.kind === 'string' && /^\d+$/.test(given.text);
  return isText ? given.text : undefined;
}

function checkInteger(given: ClientValue, path: string): void {
  if (given.kind !== 'number') return;
  const value = Number(given.text);
  if (!Number.isInteger(value) || value < -MAX_INT || value >= MAX_INT)
    throw outOfRange(given.text, path);
}

// Hasura's message, on which clients may rely.
function outOfRange(text: string, path: string): RequestError {
  const message = `The value ${scientific(text)} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`;
  return new RequestError('parse-failed', message, path);
}

// Formats a number as Hasura does, for example `2.147483648e9` or `1.5`.
function scientific(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0.0';
  // The exponent of the first digit.
  const exponent = BigInt(power) + BigInt(digits.length - fraction.length - 1);
  const isPlain = exponent >= -1 && exponent < 7;
  const point = isPlain ? Number(exponent) + 1 : 1;
  const before = digits.slice(0, point).padEnd(point, '0') || '0';
  const after = withoutTrailingZeros(digits.slice(point)) || '0';
  return `${sign}${before}.${after}${isPlain ? '' : `e${exponent}`}`;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

function checkLabel(
  given: ClientValue,
  labels: readonly string[],
  name: string,
  path: string,
): void {
  if (given.kind !== 'string' && given.kind !== 'enum') return;
  if (!labels.includes(given.text)) throw validationFailed(oneOf(labels, name, given.text), path);
}

function checkLtree(given: ClientValue, path: string): void {
  if (given.kind !== 'string') return;
  if (/^([\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*)?$/u.test(given.text)) return;
  throw new RequestError('parse-failed', LTREE_MESSAGE, path);
}

// Hasura's message, on which clients may rely.
const LTREE_MESSAGE =
  'Expecting label path: a sequence of zero or more labels separated by dots, for example L1.L2.L3';
