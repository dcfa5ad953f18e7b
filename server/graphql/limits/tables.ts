import { RequestError } from '../request-error.ts';

/**
 * Counts the tables that one operation reads, including the tables that permission rules read. Postgres plans each of
 * them.
 */
export class TableCounter {
  readonly #maxTables: number;
  #tables = 0;

  constructor(maxTables: number) {
    this.#maxTables = maxTables;
  }

  /**
   * Adds tables.
   * @throws RequestError with the path when the operation has too many
   */
  add(tables: number, path: string): void {
    this.#tables += tables;
    if (this.#tables <= this.#maxTables) return;
    const message = `one operation may read ${this.#maxTables} tables, each field, alias and condition counted separately, with the tables that the role's rules lead to; select fewer, or split it into several operations`;
    throw new RequestError('node-limit-exceeded', message, path);
  }

  get total(): number {
    return this.#tables;
  }
}
