import { RequestError } from './request-error.ts';

/** A number as the client wrote it, where JavaScript's would be another; JSON.stringify writes it as it is. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** A JSON value whose numbers lose no digit. */
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

// Node 24 has them, TypeScript's library of es2024 does not.
const exactJson = JSON as unknown as ExactJson;

/** Levels of lists and objects in what a client sends: whatever walks through it does so on the stack. */
export const maxJsonDepth = 500;

/**
 * Reads JSON of a client, and keeps numbers exactly.
 * @param what it is, e.g. `the request body`
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

/** Whether JavaScript would write a number in another way than the client did. */
function isChanged(source: string): boolean {
  return String(Number(source)) !== source;
}

/** What decides how a text is parsed. */
interface Traits {
  readonly isTooDeep: boolean;
  /** Whether it holds numbers that only the slower way keeps. */
  readonly losesDigits: boolean;
}

// Before anything is parsed, since the reviver itself is called on the stack.
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

/** Where a string is over that begins at an index; at the end of the text where it never is. */
function endOfString(text: string, begin: number): number {
  for (let index = begin + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return index;
    if (code === backslash) index += 1;
  }
  return text.length;
}

/** Where a number is over; past the end of the text there is NaN. */
function endOfNumber(text: string, begin: number): number {
  let end = begin + 1;
  while (isOfNumber(text.charCodeAt(end))) end += 1;
  return end;
}

function startsNumber(code: number): boolean {
  return code === minus || (code >= 0x30 && code <= 0x39);
}

// Plus, point and exponent beside what a number may begin with.
function isOfNumber(code: number): boolean {
  return startsNumber(code) || code === 0x2b || code === 0x2e || code === 0x45 || code === 0x65;
}

const [quote, backslash, minus] = [0x22, 0x5c, 0x2d];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A number from its text. */
export function exactNumber(text: string): ExactNumber {
  return exactJson.rawJSON(text);
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return exactJson.isRawJSON(value);
}

/** An object that is neither list, null nor number. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}
