import { containsJson, hasKey, orderJson } from './json-values.ts';
import { foldsAlike, isLike, isMatch, isSimilar } from './patterns.ts';
import { not, type Outcome, some } from './three-valued.ts';
import type { Cell, Json, Scalar, Value, ValueType } from './values.ts';

/** The difference of two values: negative, zero or positive. `unequal`: the order depends on the collation. */
type Order = number | 'unequal' | undefined;

const byText = (a: string, b: string) => Number(a > b) - Number(a < b);
const byNumber = (a: bigint | number, b: bigint | number) => Number(a > b) - Number(a < b);

/** Returns a number scaled by 10^30, so that numbers compare exactly. readValue accepts no further decimal places. */
function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt((whole === '-' ? '-0' : whole) + fraction.padEnd(30, '0'));
}

/** Returns an instant in microseconds. */
function instant(text: string): bigint | number {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const whole = text.replace(/\.\d+/, '').replace(' ', 'T');
  const zoned = /(z|[+-]\d{2}:\d{2})$/i.test(whole) ? whole : `${whole}Z`;
  return BigInt(Date.parse(zoned)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

function orderTexts(a: string, b: string, { byCodePoint }: ValueType): Order {
  if (a === b) return 0;
  return byCodePoint ? byText(a, b) : 'unequal';
}

function orderScalars(type: ValueType, a: Scalar, b: Scalar): Order {
  if (typeof a === 'object' && typeof b === 'object') {
    const order = orderJson(a.json, b.json);
    return order === 0 || type.byCodePoint ? order : 'unequal';
  }
  if (typeof a === 'object' || typeof b === 'object') return undefined;
  switch (type.name) {
    case 'number':
      return byNumber(scaled(a), scaled(b));
    case 'timestamptz':
    case 'timestamp':
      return byNumber(instant(a), instant(b));
    case 'enum':
      return byNumber(type.labels?.indexOf(a) ?? -1, type.labels?.indexOf(b) ?? -1);
    case 'text':
      return orderTexts(a, b, type);
    case 'citext':
      return foldsAlike(a + b) || a === b
        ? orderTexts(a.toLowerCase(), b.toLowerCase(), type)
        : undefined;
    default:
      return byText(a, b);
  }
}

/** Lists compare by their first difference, then by length. Null elements are equal to each other and sort last. */
function orderOf(type: ValueType, a: Value, b: Value): Order {
  if (!isList(a) || !isList(b))
    return isList(a) || isList(b) ? undefined : orderScalars(type, a, b);
  const element = type.element;
  for (const [index, item] of a.slice(0, b.length).entries()) {
    const other = b[index] ?? null;
    const difference =
      item === null || other === null || !element
        ? Number(item === null) - Number(other === null)
        : orderScalars(element, item, other);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const isList = (value: Value): value is readonly (Scalar | null)[] => Array.isArray(value);

function listOf(value: Value): readonly (Scalar | null)[] {
  if (!isList(value)) throw new TypeError('a list is meant');
  return value;
}

function textOf(value: Value): string {
  if (typeof value !== 'string') throw new TypeError('a text is meant');
  return value;
}

function jsonOf(value: Value): Json {
  if (typeof value === 'object' && 'json' in value) return value.json;
  throw new TypeError('a document is meant');
}

type Test = (type: ValueType, a: Value, b: Value) => Outcome;

const ordered =
  (holds: (difference: number) => boolean): Test =>
  (type, a, b) => {
    const order = orderOf(type, a, b);
    if (order !== 'unequal') return order === undefined ? undefined : holds(order);
    return holds(-1) === holds(1) ? holds(1) : undefined;
  };
type Match = (text: string, pattern: string, blindToCase: boolean) => Outcome;
/** A citext column ignores case with every operator. */
const matching =
  (match: Match, blind: boolean): Test =>
  (type, a, b) =>
    match(textOf(a), textOf(b), blind || type.name === 'citext');
const opposite =
  (test: Test): Test =>
  (...given) =>
    not(test(...given));

const like = matching(isLike, false);
const ilike = matching(isLike, true);
const regex = matching(isMatch, false);
const iregex = matching(isMatch, true);
const similar = matching(isSimilar, false);

const contains: Test = (type, a, b) => {
  if (type.name === 'jsonb') return containsJson(jsonOf(a), jsonOf(b));
  const { element } = type;
  if (!element) return undefined;
  const among = (item: Scalar) =>
    some(listOf(a).map((one) => (one === null ? false : tests['=']?.(element, one, item))));
  const found = listOf(b).map((item) => (item === null ? false : among(item)));
  if (found.includes(false)) return false;
  return found.includes(undefined) ? undefined : true;
};

const keys = (value: Value) => listOf(value).filter((key) => key !== null);

/** The result of each operator for two values, by symbol. The result is unknown if one of the values is null. */
const tests: Readonly<Record<string, Test>> = {
  '=': ordered((difference) => difference === 0),
  '<>': ordered((difference) => difference !== 0),
  '>': ordered((difference) => difference > 0),
  '>=': ordered((difference) => difference >= 0),
  '<': ordered((difference) => difference < 0),
  '<=': ordered((difference) => difference <= 0),
  '~~': like,
  '!~~': opposite(like),
  '~~*': ilike,
  '!~~*': opposite(ilike),
  '~': regex,
  '!~': opposite(regex),
  '~*': iregex,
  '!~*': opposite(iregex),
  'similar to': similar,
  'not similar to': opposite(similar),
  '@>': contains,
  '<@': (type, a, b) => contains(type, b, a),
  '?': (_, a, b) => hasKey(jsonOf(a), textOf(b)),
  '?|': (_, a, b) => keys(b).some((key) => hasKey(jsonOf(a), textOf(key))),
  '?&': (_, a, b) => keys(b).every((key) => hasKey(jsonOf(a), textOf(key))),
};

/** Evaluates `a operator b` as SQL does. `similar to` is an operator here. Undefined: it has no model. */
export function compare(operator: string, type: ValueType, a: Cell, b: Cell): Outcome {
  const test = tests[operator];
  if (!test) return undefined;
  return a === null || b === null ? null : test(type, a, b);
}

/** Evaluates `a = any(list)` as SQL does. */
export function isAmong(type: ValueType, a: Cell, list: readonly Cell[]): Outcome {
  return some(list.map((item) => compare('=', type, a, item)));
}

/** Evaluates `a <> all(list)` as SQL does. */
export function isNotAmong(type: ValueType, a: Cell, list: readonly Cell[]): Outcome {
  return not(isAmong(type, a, list));
}
