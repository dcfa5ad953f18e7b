import { Lru } from '../lru.ts';
import type { CallerRequest } from './caller-request.ts';

/** The maximum memory of all callers, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Bytes of a caller, and of each character of its headers, which occur in the key and in the variables. */
const CALLER = 1000;
const CHARACTER = 6;

/**
 * Remembers the callers of requests with equal headers. It never contains a credential: the header with the secret is
 * not a part of the key, and the secret is checked before each look-up.
 */
export class KnownCallers<Model extends { readonly headerPrefix: string }, Caller> {
  readonly #callers = new Lru<Caller>(MAX_BYTES);
  #model: Model | undefined;
  #prefix = '';

  /**
   * Returns the caller that the headers with the prefix describe in a model.
   * @param make makes a caller that is not known yet
   */
  find({ headers }: Pick<CallerRequest, 'headers'>, model: Model, make: () => Caller): Caller {
    if (model !== this.#model) {
      this.#callers.clear();
      this.#model = model;
      this.#prefix = model.headerPrefix.toLowerCase();
    }
    const key = keyOf(headers, this.#prefix);
    const known = key === undefined ? undefined : this.#callers.get(key);
    if (known !== undefined) return known;
    const caller = make();
    if (key !== undefined) this.#callers.set(key, caller, CALLER + CHARACTER * key.length);
    return caller;
  }
}

/**
 * Returns a key of all headers with a prefix, except the secret; undefined when one of them may have been sent several
 * times.
 */
function keyOf(headers: CallerRequest['headers'], prefix: string): string | undefined {
  let key = '';
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(prefix) || name === `${prefix}admin-secret`) continue;
    const value = onlyValue(headers, name);
    if (value === undefined) return undefined;
    // The lengths show where a name and a value end, whatever characters they contain.
    key += `${name.length} ${value.length} ${name}${value}`;
  }
  return key;
}

/**
 * Returns the value of a header that was certainly sent once. Node joins several values by commas, except those of some
 * standard headers, none of which begins with `x-`.
 */
export function onlyValue(headers: CallerRequest['headers'], name: string): string | undefined {
  const value = headers[name];
  const isSingle = typeof value === 'string' && name.startsWith('x-') && !value.includes(',');
  return isSingle ? value : undefined;
}
