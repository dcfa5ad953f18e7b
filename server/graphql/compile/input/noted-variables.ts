import { isExactNumber, isJsonObject, type Json } from '../../json.ts';
import type { Variables } from '../../validate/variables.ts';
import { EqualValues } from './equal-values.ts';
import { type Repeats, repeatsIn } from './repeats.ts';
import { type Property, Shape } from './shape.ts';

/** A variable, or a value inside another place: what stands in one list shares the way there. */
export type VariablePlace =
  | { readonly name: string }
  | { readonly within: VariablePlace; readonly key: string | number };

/** What kind of value something is: null, a list or an object of forms, or true for any single value. */
export type Form = null | true | readonly Form[] | { readonly [key: string]: Form };

/**
 * The variables of the request that an operation is compiled for. They can be read in no other way than by properties
 * that become a part of the shape, so that nothing is compiled in which a later request is not asked for as well.
 */
export class NotedVariables {
  /** All that was asked for. */
  readonly shape = new Shape();
  /** Which values of the document are equal. */
  readonly valuesOfDocument = new EqualValues();
  #variables: Variables;
  readonly #found = new Map<string, Json>();

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** Whether the request gives a variable, be it as null, or the document has a default for it. */
  isPresent(name: string): boolean {
    return this.#read(`present ${name}`, (variables) => variables.has(name)) === true;
  }

  /** Null where the variable is absent. */
  formOf(place: VariablePlace): Form {
    const name = nameOf(place);
    const form = this.#read(`form ${name}`, (variables) => formOf(variables.get(name) ?? null));
    // A part of a form is the form of that part.
    return partOf(form, place) as Form;
  }

  /** Null where the variable is absent. */
  valueAt(place: VariablePlace): Json {
    const name = nameOf(place);
    const value = this.#read(`value ${name}`, (variables) => variables.get(name) ?? null);
    return partOf(value, place);
  }

  /** Whether two values are the same, whatever they are. */
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

  /** Which objects of a list are the same as an earlier one of it, by index. */
  repeatsAt(place: VariablePlace): readonly number[] {
    const name = nameOf(place);
    const read: Property = (variables) => repeatsIn(variables.get(name) ?? null) as Json;
    return repeatsOf(this.#read(`repeats ${name}`, read) as Repeats, place)?.at ?? [];
  }

  /** Lets go of the request; what was noted stays. */
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

/** A value that is bound when a statement runs; null where a variable or a part of it is absent. */
export function valueAt(variables: Variables, place: VariablePlace): Json {
  return partOf(variables.get(nameOf(place)) ?? null, place);
}

function nameOf(place: VariablePlace): string {
  return 'name' in place ? place.name : nameOf(place.within);
}

/** The part of a whole variable that stands in a place. */
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
