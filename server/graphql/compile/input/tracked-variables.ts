import { isExactNumber, isJsonObject, type Json } from '../../json.ts';
import type { Variables } from '../../validate/variables.ts';
import { EqualValues } from './equal-values.ts';
import { type Repeats, repeatsIn } from './repeated-items.ts';
import { type Property, Shape } from './shape.ts';

/**
 * The place of a value: a variable, or a field or item inside the value at another place. All items of a list refer to
 * the same object for the place of the list, so a long list needs little memory.
 */
export type VariablePlace =
  | { readonly name: string }
  | { readonly within: VariablePlace; readonly key: string | number };

/** The structure of a value: null, a list or object of forms, or true for any single value. */
export type Form = null | true | readonly Form[] | { readonly [key: string]: Form };

/**
 * The variables of the request that an operation is compiled for. Compilation can read only properties of the
 * variables, and each property that it reads becomes part of the shape. So a later request with the same shape can use
 * the same statement.
 */
export class TrackedVariables {
  /** The properties of the variables that the compilation has read. */
  readonly shape = new Shape();
  /** Finds equal values of the document. */
  readonly valuesOfDocument = new EqualValues();
  #variables: Variables;
  readonly #found = new Map<string, Json>();

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** Returns true if the request provides the variable, even as null, or the document has a default for it. */
  isPresent(name: string): boolean {
    return this.#read(`present ${name}`, (variables) => variables.has(name)) === true;
  }

  /** Returns the form of a value; null when the variable is absent. */
  formOf(place: VariablePlace): Form {
    const name = nameOf(place);
    const form = this.#read(`form ${name}`, (variables) => formOf(variables.get(name) ?? null));
    // A form has the same structure as its value, so the path to a part of the value also leads to the form of that
    // part.
    return partOf(form, place) as Form;
  }

  /** Returns a value; null when the variable is absent. */
  valueAt(place: VariablePlace): Json {
    const name = nameOf(place);
    const value = this.#read(`value ${name}`, (variables) => variables.get(name) ?? null);
    return partOf(value, place);
  }

  /** Returns true if two values are equal. */
  areSame(a: VariablePlace, b: VariablePlace): boolean {
    const textAt = (variables: Variables, place: VariablePlace) =>
      JSON.stringify(valueAt(variables, place));
    return (
      this.#read(
        `same ${JSON.stringify([a, b])}`,
        (variables) => textAt(variables, a) === textAt(variables, b),
      ) === true
    );
  }

  /** Returns the indexes of the objects in a list that equal an earlier object of the list. */
  repeatsAt(place: VariablePlace): readonly number[] {
    const name = nameOf(place);
    const read: Property = (variables) => repeatsIn(variables.get(name) ?? null) as Json;
    return repeatsOf(this.#read(`repeats ${name}`, read) as Repeats, place)?.at ?? [];
  }

  /** Releases the values of the request, because later requests use the compiled statement. The shape remains. */
  forget(): void {
    this.#variables = new Map();
    this.#found.clear();
  }

  #read(name: string, property: Property): Json {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const value = property(this.#variables);
    this.shape.add(name, property);
    this.#found.set(name, value);
    return value;
  }
}

/** Reads a value when the statement runs; null when the variable or the part is absent. */
export function valueAt(variables: Variables, place: VariablePlace): Json {
  return partOf(variables.get(nameOf(place)) ?? null, place);
}

function nameOf(place: VariablePlace): string {
  return 'name' in place ? place.name : nameOf(place.within);
}

/** Returns the part of a variable at a place. */
function partOf(variable: Json, place: VariablePlace): Json {
  if ('name' in place) return variable;
  const whole = partOf(variable, place.within) as Readonly<Record<string | number, Json>> | null;
  return whole?.[place.key] ?? null;
}

function repeatsOf(variable: Repeats, place: VariablePlace): Repeats {
  if ('name' in place) return variable;
  return repeatsOf(variable, place.within)?.in?.[place.key] ?? null;
}

function formOf(value: Json): Form {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(formOf);
  if (!isJsonObject(value) || isExactNumber(value)) return true;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, formOf(item)]));
}
