import type { Json } from '../../json.ts';
import type { Variables } from '../../validate/variables.ts';

/** A property of the variables, for example the value of one variable, its presence or its length. */
export type Property = (variables: Variables) => Json;

/**
 * The properties of the variables that determine the text of a statement. Two requests with the same document and equal
 * keys share a statement; Postgres receives their values as parameters.
 */
export class Shape {
  readonly #properties = new Map<string, Property>();

  /** @param name identifies the property, so equal properties must have equal names */
  add(name: string, property: Property): void {
    this.#properties.set(name, property);
  }

  /**
   * Adds the properties that another compilation of the same document has read. Later keys contain all of these
   * properties.
   */
  merge(other: Shape): void {
    for (const [name, property] of other.#properties) this.#properties.set(name, property);
  }

  /** Number of properties. */
  get size(): number {
    return this.#properties.size;
  }

  key(variables: Variables): string {
    if (this.size === 0) return '';
    return JSON.stringify([...this.#properties.values()].map((property) => property(variables)));
  }
}
