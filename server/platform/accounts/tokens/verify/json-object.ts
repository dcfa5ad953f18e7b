/** An object of JSON by its own members alone. */
export type JsonObject = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const structure = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}:]/g;

/**
 * Reads a JSON object that means the same to every reader; undefined for any other text. Some readers take the first
 * of two equal names and some the last, and some take `__proto__` for more than a name.
 */
export function readJsonObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return hasTrickyNames(text) ? undefined : (value as JsonObject);
  } catch {
    return undefined;
  }
}

/** Of a text that is known to be JSON. */
function hasTrickyNames(text: string): boolean {
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
