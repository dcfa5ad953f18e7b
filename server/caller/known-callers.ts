import { Lru } from '../lru.ts';

/** The maximum memory of a memory of callers, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Bytes of a caller and of each character of its headers, which occur in the key and in the variables. */
const CALLER = 1000;
const CHARACTER = 6;

/**
 * Remembers what requests with equal headers have in common. It never contains a credential: the header with the secret
 * is not a part of the key, and the secret is checked before each look-up.
 */
export class KnownCallers<Model extends { readonly headerPrefix: string }, Caller> {
  readonly #callers = new Lru<Caller>(MAX_BYTES);
  #model: Model | undefined;

  /**
   * Returns the caller that these headers describe in a model.
   * @param headers each header with all values that were sent
   * @param make makes a caller that is not known yet
   */
  find(
    headers: Readonly<Record<string, readonly string[] | undefined>>,
    model: Model,
    make: () => Caller,
  ): Caller {
    if (model !== this.#model) this.#callers.clear();
    this.#model = model;
    const key = keyOf(headers, model.headerPrefix.toLowerCase());
    const known = key === undefined ? undefined : this.#callers.get(key);
    if (known !== undefined) return known;
    const caller = make();
    if (key !== undefined) this.#callers.set(key, caller, CALLER + CHARACTER * key.length);
    return caller;
  }
}

/** Returns a key of all headers that describe the caller; undefined when one of them was sent several times. */
function keyOf(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
  prefix: string,
): string | undefined {
  const secret = `${prefix}admin-secret`;
  let key = '';
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(prefix) || name === secret) continue;
    const values = headers[name];
    const value = values?.[0];
    if (value === undefined || values?.length !== 1) return undefined;
    // The lengths show where a name and a value end, whatever characters they contain.
    key += `${name.length} ${value.length} ${name}${value}`;
  }
  return key;
}
