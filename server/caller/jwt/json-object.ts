/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const structure = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}:]/g;

/**
 * Parses a JSON object that all parsers read the same way; undefined for any other text. Parsers disagree about
 * duplicate names and about `__proto__`. An attacker could use such a difference against a program that reads the token
 * later.
 */
export function readJsonObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return hasAmbiguousNames(text) ? undefined : (value as JsonObject);
  } catch {
    return undefined;
  }
}

/** Returns true when valid JSON has a duplicate name in an object, or the name `__proto__`. */
function hasAmbiguousNames(text: string): boolean {
  const open: Set<string>[] = [];
  let word = '';
  for (const [token] of text.matchAll(structure)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token !== ':') word = token;
    else {
      const names = open.at(-1);
      const name = JSON.parse(word) as string;
      if (name === '__proto__' || names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}
