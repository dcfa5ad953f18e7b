import { RequestError } from './request-error.ts';

/** A number that JavaScript would change, in the client's spelling. JSON.stringify writes it unchanged. */
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

// Node 24 has these methods, but TypeScript's es2024 library lacks them.
const exactJson = JSON as unknown as ExactJson;

/** Maximum nesting of a client's JSON. Recursive functions walk through it, so the stack limits it. */
export const maxJsonDepth = 500;

/**
 * Parses a client's JSON and keeps all digits of numbers.
 * @param what name of the text for messages, e.g. `the request body`
 * @throws RequestError
 */
export function parseJson(text: string, what: string, path = '$'): Json {
  const { isTooDeep, losesDigits } = lookThrough(text);
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

/** Whether JavaScript would write a number differently. */
function isChanged(source: string): boolean {
  return String(Number(source)) !== source;
}

/** The properties of a JSON text that decide how it is parsed. */
interface Traits {
  readonly isTooDeep: boolean;
  /** Whether the text has numbers that only the slower parser keeps. */
  readonly losesDigits: boolean;
}

// The scan comes before parsing, because the reviver recurses as deep as the text is nested.
function lookThrough(text: string): Traits {
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

/** Returns the index of a string's closing quote, or the length of the text if it has none. */
function endOfString(text: string, begin: number): number {
  for (let index = begin + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return index;
    if (code === backslash) index += 1;
  }
  return text.length;
}

/** Returns the index after a number. `charCodeAt` returns NaN beyond the text, which ends the loop. */
function endOfNumber(text: string, begin: number): number {
  let end = begin + 1;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
}

function startsNumber(code: number): boolean {
  return code === minus || (code >= 0x30 && code <= 0x39);
}

// Plus, point and exponent may follow the first character.
function isOfNumber(code: number): boolean {
  return startsNumber(code) || code === 0x2b || code === 0x2e || code === 0x45 || code === 0x65;
}

const [quote, backslash, minus] = [0x22, 0x5c, 0x2d];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Makes a number that keeps its spelling. */
export function exactNumber(text: string): ExactNumber {
  return exactJson.rawJSON(text);
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return exactJson.isRawJSON(value);
}

/** Whether a value is a JSON object, and not a list, null or an exact number. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}
