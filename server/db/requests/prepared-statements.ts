const MAX_STATEMENTS = 300;

/** The maximum length of all texts. Postgres needs 25 to 150 bytes of memory for each character. */
const MAX_CHARACTERS = 1_000_000;

/** The prepared statements of a connection. They stay prepared until the connection ends. */
export class PreparedStatements {
  readonly #names = new Set<string>();
  /** The number of failed attempts to prepare a statement, by its name. */
  readonly #failures = new Map<string, number>();
  #characters = 0;
  #areLost = false;

  /** Records a statement. @returns its name on this connection */
  add(name: string, text: string): string {
    const failures = this.#failures.get(name);
    const own = failures === undefined ? name : `${name}_${failures}`;
    if (this.#names.has(own)) return own;
    this.#names.add(own);
    this.#characters += text.length;
    return own;
  }

  /**
   * Records a failed preparation. The next attempt uses another name, because PgBouncer would close the connection at a
   * second preparation under the same name.
   */
  fail(name: string): void {
    this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
  }

  /**
   * Records that Postgres has lost prepared statements, e.g. behind a pooler. The pool then replaces the connection.
   */
  lose(): void {
    this.#areLost = true;
  }

  /** Whether the pool should replace the connection, because it has too many prepared statements or has lost some. */
  get areSpent(): boolean {
    const areTooMany = this.#names.size >= MAX_STATEMENTS || this.#characters >= MAX_CHARACTERS;
    return areTooMany || this.#areLost;
  }
}
