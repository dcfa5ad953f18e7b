import { makeKey, type SigningSecrets, type StoredKey } from './key-pair.ts';
import { insertKey, type Queryable, readKeys } from './key-table.ts';

/** Caches the stored keys, the current one first. */
export class KeyCache {
  readonly #database: Queryable;
  readonly #secrets: SigningSecrets;
  #last: readonly StoredKey[] | undefined;
  #readAt = 0;
  #running: Promise<readonly StoredKey[]> | undefined;

  constructor(database: Queryable, secrets: SigningSecrets) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /** Returns the cached keys when they are not older than `ageMs`. Otherwise reads the keys again. */
  async notOlderThan(ageMs: number): Promise<readonly StoredKey[]> {
    if (this.#last && performance.now() - this.#readAt < ageMs) return this.#last;
    this.#running ??= this.#read().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #read(): Promise<readonly StoredKey[]> {
    try {
      this.#last = await readOrMakeKeys(this.#database, this.#secrets);
    } catch (error) {
      // While the database does not answer, the cached keys still verify tokens.
      if (!this.#last) throw error;
    }
    this.#readAt = performance.now();
    return this.#last;
  }
}

async function readOrMakeKeys(
  database: Queryable,
  secrets: SigningSecrets,
): Promise<readonly StoredKey[]> {
  const keys = await readKeys(database);
  if (keys[0]?.isCurrent) return keys;
  // Several processes may insert a first key at the same time. The table accepts only one key, which all processes then
  // read.
  await insertKey(database, await makeKey(secrets));
  return readKeys(database);
}
