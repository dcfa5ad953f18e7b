const MAX_STATEMENTS = 300;

/** Of all texts. Postgres takes 25 to 150 bytes of memory for each. */
const MAX_CHARACTERS = 1_000_000;

/** The statements that a connection keeps prepared, here and in Postgres, for as long as it lasts. */
export class PreparedStatements {
  readonly #names = new Set<string>();
  #characters = 0;

  add(name: string, text: string): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#characters += text.length;
  }

  /** Whether a new connection costs less than what this one holds. */
  get areTooMany(): boolean {
    return this.#names.size >= MAX_STATEMENTS || this.#characters >= MAX_CHARACTERS;
  }
}
