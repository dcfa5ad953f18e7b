/** Collects the schemas of `components.schemas`, to which the other parts of the document refer. */
export class SharedSchemas {
  readonly #schemas = new Map<string, unknown>();

  /** The collected schemas by name, in alphabetical order. */
  get all(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Converts a schema for the document: each part with a title is collected and replaced by a reference.
   * @throws Error when two different schemas have the same title
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
    // A property may also be named `title`; its value is a schema, not a string.
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

/** Keywords whose values are data, not schemas. */
const literalKeywords = new Set(['const', 'default', 'enum', 'examples', 'required']);
