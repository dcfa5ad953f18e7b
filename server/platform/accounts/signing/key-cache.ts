import { makeKey, type SigningSecrets, type StoredKey } from './key-pair.ts';
import { insertKey, type Queryable, readKeys } from './key-table.ts';

/** The stored keys as they were a moment ago, the current one first. */
export class KeyReadings {
  readonly #database: Queryable;
  readonly #secrets: SigningSecrets;
  #last: readonly StoredKey[] | undefined;
  #readAt = 0;
  #running: Promise<readonly StoredKey[]> | undefined;

  constructor(database: Queryable, secrets: SigningSecrets) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /** Those of the last reading where it is young enough, else of a new one. */
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
      // While the database is away, everybody can go on verifying what was issued before.
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
  // Several processes may do so at once; the table takes the first.
  await insertKey(database, await makeKey(secrets));
  return readKeys(database);
}
