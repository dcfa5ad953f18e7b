/** What a body of JSON says, twice. */
export interface StrictJson {
  readonly value: unknown;
  /** The same with each number as it is written, e.g. `'10.10'`: money never becomes a float. */
  readonly exact: unknown;
}

/** Why a body is no JSON that can be stored, in words for its sender. */
export class JsonProblem extends Error {}

const mostDepth = 32;
const mostNumberLength = 128;
const mostExponent = 308;

// What is given back is the text as it is: a byte order mark is no JSON.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads JSON that means one thing to every reader: UTF-8, no key twice, no NUL, no broken characters, no numbers or
 * nesting beyond what Postgres stores as it stands. @throws JsonProblem
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

/** A reviver; the third argument is newer than the types of the standard library. */
function exactValue(key: string, value: unknown, { source }: { readonly source?: string }) {
  refuseText(key);
  if (typeof value === 'string') refuseText(value);
  if (typeof value !== 'number' || source === undefined) return value;
  const exponent = Math.abs(Number(/e(.*)$/i.exec(source)?.[1] ?? 0));
  if (Number.isFinite(value) && exponent <= mostExponent && source.length <= mostNumberLength) {
    return source;
  }
  throw new JsonProblem('the body holds a number that is too large, or has too many digits');
}

function refuseText(text: string): void {
  if (text.includes('\0')) throw new JsonProblem('the body holds a NUL character');
  if (!text.isWellFormed()) throw new JsonProblem('the body holds half a character');
}

/** Goes through JSON that is known to be valid. */
function refuseStructure(text: string): void {
  // The keys of each object that is open; undefined for a list.
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
      if (open.length > mostDepth) {
        throw new JsonProblem(`the body is nested deeper than ${mostDepth} levels`);
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
