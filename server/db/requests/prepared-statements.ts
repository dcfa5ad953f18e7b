const MAX_STATEMENTS = 300;

/** Of all texts. Postgres takes 25 to 150 bytes of memory for each. */
const MAX_CHARACTERS = 1_000_000;

/** The statements that a connection keeps prepared, here and in Postgres, for as long as it lasts. */
export class PreparedStatements {
  readonly #names = new Set<string>();
  /** How often a text was not prepared under the names that were meant for it. */
  readonly #failures = new Map<string, number>();
  #characters = 0;
  #areLost = false;

  /** Counts a statement. @returns the name to prepare it under here */
  add(name: string, text: string): string {
    const failures = this.#failures.get(name);
    const own = failures === undefined ? name : `${name}_${failures}`;
    if (this.#names.has(own)) return own;
    this.#names.add(own);
    this.#characters += text.length;
    return own;
  }

  /** A statement was not prepared. Postgres would take its name again, while PgBouncer ends the connection. */
  fail(name: string): void {
    this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
  }

  /** Postgres does not have what was prepared. */
  lose(): void {
    this.#areLost = true;
  }

  /** Whether a new connection costs less than what this one holds, or is of use alone. */
  get areSpent(): boolean {
    const areTooMany = this.#names.size >= MAX_STATEMENTS || this.#characters >= MAX_CHARACTERS;
    return areTooMany || this.#areLost;
  }
}
