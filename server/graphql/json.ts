import { RequestError } from './request-error.ts';

/**
 * A number as the client wrote it. It is used when a JavaScript number would be different; JSON.stringify writes it
 * unchanged.
 */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** A JSON value whose numbers keep all digits. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly Json[]
  | { readonly [key: string]: Json };

interface ExactJson {
  parse(text: string, reviver: Reviver): Json;
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

// Node 24 has these functions, but TypeScript's library of es2024 does not declare them.
const exactJson = JSON as unknown as ExactJson;

/**
 * Maximum nesting of lists and objects from a client. Recursive functions process them, so deeper nesting could
 * overflow the stack.
 */
export const maxJsonDepth = 500;

/**
 * Parses JSON from a client and keeps numbers exact.
 * @param what the name of the text in errors, for example `the request body`
 * @throws RequestError
 */
export function parseJson(text: string, what: string, path = '$'): Json {
  const { isTooDeep, losesDigits } = scan(text);
  if (isTooDeep) {
    throw new RequestError(
      'parse-failed',
      `${what} is nested deeper than ${maxJsonDepth} levels`,
      path,
    );
  }
  try {
    return losesDigits ? exactJson.parse(text, keepExact) : (JSON.parse(text) as Json);
  } catch (cause) {
    throw new RequestError('invalid-json', `${what} is not valid JSON`, path, cause);
  }
}

const keepExact: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && source !== undefined && isChanged(source)
    ? exactJson.rawJSON(source)
    : value;

/** Returns true if JavaScript would write the number differently. */
function isChanged(source: string): boolean {
  return String(Number(source)) !== source;
}

/** Properties of a text that determine how it is parsed. */
interface Traits {
  readonly isTooDeep: boolean;
  /** True if the text contains numbers that only the slower parser keeps exact. */
  readonly losesDigits: boolean;
}

// Returns the index of the closing quote of the string that starts at `begin`, or the length of the text without a
// closing quote.
function scan(text: string): Traits {
  let depth = 0;
  let losesDigits = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    switch (code) {
      case quote:
        index = endOfString(text, index);
        break;
      case openBracket:
      case openBrace:
        depth += 1;
        if (depth > maxJsonDepth) return { isTooDeep: true, losesDigits };
        break;
      case closeBracket:
      case closeBrace:
        depth -= 1;
        break;
      default: {
        if (losesDigits || !startsNumber(code)) break;
        const end = endOfNumber(text, index);
        losesDigits = isChanged(text.slice(index, end));
        index = end - 1;
      }
    }
  }
  return { isTooDeep: false, losesDigits };
}

/** Returns the index of the closing quote of the string that starts at `begin`, or the length of the text. */
function endOfString(text: string, begin: number): number {
  for (let index = begin + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return index;
    if (code === backslash) index += 1;
  }
  return text.length;
}

/** Returns the index after the number. At the end of the text, charCodeAt returns NaN. */
function endOfNumber(text: string, begin: number): number {
  let end = begin + 1;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
}

function startsNumber(code: number): boolean {
  return code === minus || (code >= 0x30 && code <= 0x39);
}

// A number continues with the characters that can start it, and with plus, point and exponent.
function isOfNumber(code: number): boolean {
  return startsNumber(code) || code === 0x2b || code === 0x2e || code === 0x45 || code === 0x65;
}

const [quote, backslash, minus] = [0x22, 0x5c, 0x2d];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Makes an exact number from its text. */
export function exactNumber(text: string): ExactNumber {
  return exactJson.rawJSON(text);
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return exactJson.isRawJSON(value);
}

/** Returns true if the value is an object, and neither a list nor null nor an exact number. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}
