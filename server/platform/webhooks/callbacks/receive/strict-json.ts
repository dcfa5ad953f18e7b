/** A parsed JSON body in two forms. */
export interface StrictJson {
  readonly value: unknown;
  /** The same value with each number as its source text, e.g. `'10.10'`, so that money never becomes a float. */
  readonly exact: unknown;
}

/** A body cannot be stored as JSON. The message is meant for the sender. */
export class JsonProblem extends Error {}

const maxDepth = 32;
const maxNumberLength = 128;
const maxExponent = 308;

// `ignoreBOM` keeps a byte order mark in the text, and JSON.parse then refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses JSON that every parser reads the same way: valid UTF-8, no duplicate keys, no NUL, no lone surrogates, and no
 * numbers or nesting that Postgres cannot store exactly. @throws JsonProblem
 */
export function parseStrictJson(body: Uint8Array): StrictJson {
  const text = decode(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonProblem('the body is not valid JSON');
  }
  refuseStructure(text);
  return { value, exact: JSON.parse(text, exactValue as (key: string, value: unknown) => unknown) };
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new JsonProblem('the body is not valid UTF-8');
  }
}

/** A reviver for JSON.parse. The types of the standard library do not contain its third argument yet. */
function exactValue(key: string, value: unknown, { source }: { readonly source?: string }) {
  refuseText(key);
  if (typeof value === 'string') refuseText(value);
  if (typeof value !== 'number' || source === undefined) return value;
  const exponent = Math.abs(Number(/e(.*)$/i.exec(source)?.[1] ?? 0));
  if (Number.isFinite(value) && exponent <= maxExponent && source.length <= maxNumberLength) {
    return source;
  }
  throw new JsonProblem('the body holds a number that is too large, or has too many digits');
}

function refuseText(text: string): void {
  if (text.includes('\0')) throw new JsonProblem('the body holds a NUL character');
  if (!text.isWellFormed()) throw new JsonProblem('the body holds a lone surrogate');
}

/** Scans valid JSON for duplicate keys and deep nesting. */
function refuseStructure(text: string): void {
  // The keys of each open object; undefined for an open list.
  const open: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (expectsKey) addKey(open.at(-1), text.slice(at, end + 1));
      expectsKey = false;
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined);
      expectsKey = character === '{';
      if (open.length > maxDepth) {
        throw new JsonProblem(`the body is nested deeper than ${maxDepth} levels`);
      }
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',') {
      expectsKey = open.at(-1) !== undefined;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function addKey(keys: Set<string> | undefined, literal: string): void {
  const key: string = JSON.parse(literal);
  if (keys?.has(key)) throw new JsonProblem('the body has a key twice in one object');
  keys?.add(key);
}
