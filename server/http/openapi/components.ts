/** Schemas that are written once in a document and referred to from everywhere else. */
export class SharedSchemas {
  readonly #schemas = new Map<string, unknown>();

  /** By name, in alphabetical order. */
  get all(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * The schema as it stands in the document: what has a title becomes a reference.
   * @throws Error where two different schemas have one title
   */
  place(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((member) => this.place(member));
    if (typeof schema !== 'object' || schema === null) return schema;
    const placed = Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [
        key,
        literalKeywords.has(key) ? value : this.place(value),
      ]),
    );
    // A property may be called `title`, too; its schema is no string.
    return typeof placed.title === 'string' ? this.#share(placed.title, placed) : placed;
  }

  #share(title: string, schema: unknown): unknown {
    const known = this.#schemas.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas have the title "${title}"`);
    }
    this.#schemas.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }
}

/** Keywords whose values are data. */
const literalKeywords = new Set(['const', 'default', 'enum', 'examples', 'required']);
