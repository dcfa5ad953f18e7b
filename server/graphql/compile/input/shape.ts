import type { Json } from '../../json.ts';
import type { Variables } from '../../validate/variables.ts';

/** A property of the variables: the value of one of them, whether it is there, how long it is. */
export type Property = (variables: Variables) => Json;

/**
 * Which properties of the variables the text of a statement depends on. Two requests of one document with equal
 * keys share a statement; their values are bound as parameters.
 */
export class Shape {
  readonly #properties = new Map<string, Property>();

  /** @param name the same for the same property */
  add(name: string, property: Property): void {
    this.#properties.set(name, property);
  }

  /** Adds what another compilation of the same document depended on. */
  merge(other: Shape): void {
    for (const [name, property] of other.#properties) this.#properties.set(name, property);
  }

  /** Grows when anything is added. */
  get size(): number {
    return this.#properties.size;
  }

  key(variables: Variables): string {
    if (this.size === 0) return '';
    return JSON.stringify([...this.#properties.values()].map((property) => property(variables)));
  }
}
