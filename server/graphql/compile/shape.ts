import { isExactNumber, isJsonObject, type Json } from '../json.ts';
import type { Variables } from '../validate/variables.ts';

/**
 * Which properties of the variables the text of a statement depends on. Two requests of one document with equal
 * keys share a statement; their values are bound as parameters.
 */
export class Shape {
  /** Variables whose form (null, list of three, object with these keys) is compiled in. */
  readonly forms = new Set<string>();
  /** Variables that are compiled in as they are: limits, directions, conditions of directives. */
  readonly values = new Set<string>();

  /** Adds what another compilation of the same document depended on. */
  merge(other: Shape): void {
    for (const name of other.forms) this.forms.add(name);
    for (const name of other.values) this.values.add(name);
  }

  /** Grows when anything is added. */
  get size(): number {
    return this.forms.size + this.values.size;
  }

  key(variables: Variables): string {
    if (this.size === 0) return '';
    return JSON.stringify([
      [...this.values].map((name) => variables.get(name) ?? null),
      [...this.forms].map((name) =>
        variables.has(name) ? formOf(variables.get(name) ?? null) : -1,
      ),
    ]);
  }
}

function formOf(value: Json): Json {
  if (value === null) return 0;
  if (Array.isArray(value)) return value.map(formOf);
  if (!isJsonObject(value) || isExactNumber(value)) return 1;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, formOf(item)]));
}
