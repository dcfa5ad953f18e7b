import { type FieldNode, Kind, print, type ValueNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { BoundValue } from '../../../db/requests/wire/message-writer.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { holdsVariable, jsonInDocument } from '../../validate/json-in-document.ts';
import type { Variables } from '../../validate/variables.ts';
import type { Encode } from './encode.ts';
import { type TrackedVariables, type VariablePlace, valueAt } from './tracked-variables.ts';

/** The row that each earlier statement of a mutation returned, in order; empty for queries. */
export type Written = readonly (readonly (string | null)[])[];

/** Reads the value of one parameter from the variables of a request, or from rows that earlier statements returned. */
export interface Parameter {
  (variables: Variables, written: Written): BoundValue;
  /** True if the value comes from rows that earlier statements returned. */
  readonly readsWritten?: boolean;
}

/**
 * A checked input value of the document or of a variable. A statement whose compilation reads the form of a variable
 * can be used only for variables of the same form.
 */
export interface Input {
  isNull(): boolean;
  /** The fields of an object in the given order, without fields whose variable is absent. */
  fields(): readonly (readonly [string, Input])[];
  /** The items of a list; any other value counts as a list of one item. */
  items(): readonly Input[];
  /** The value itself, for use in the text of the statement. The statement can then be used only for equal values. */
  constant(): Json;
  /** The value as a parameter of the statement. */
  parameter(encode: Encode): SQL;
  /** Returns a function that reads the value when the statement runs. */
  reader(encode: Encode): Parameter;
  /** The place of the value in the document or in a variable. */
  readonly source: Source;
}

type Source =
  | { readonly node: ValueNode; readonly variables: TrackedVariables }
  | { readonly place: VariablePlace; readonly variables: TrackedVariables };

/** Returns true if two values are equal. The statement then depends only on this fact, not on the values. */
export function isSame({ source: a }: Input, { source: b }: Input): boolean {
  if ('node' in a) {
    if (!('node' in b) || holdsVariable(a.node) || holdsVariable(b.node)) return false;
    return print(a.node) === print(b.node);
  }
  return 'place' in b && a.variables.areSame(a.place, b.place);
}

/**
 * Removes items that equal an earlier item. The shape of the variables records which items are equal, so the statement
 * is used only for variables with the same equal items.
 */
export function withoutRepeats(items: readonly Input[]): readonly Input[] {
  const [first] = items;
  if (!first || items.length === 1) return items;
  const { source } = first;
  if ('place' in source && 'within' in source.place) {
    const repeats = new Set(source.variables.repeatsAt(source.place.within));
    return items.filter((_, index) => !repeats.has(index));
  }
  return [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].reverse();
}

// Two values written in the document with equal texts are equal for all variables, even if they contain variables.
function keyOf({ source }: Input): number | string {
  if ('place' in source) return JSON.stringify(source.place);
  return source.variables.valuesOfDocument.numberOf(source.node);
}

/** The arguments of a field, without those whose variable is absent. */
export function argumentsOf(
  node: FieldNode,
  variables: TrackedVariables,
): Readonly<Record<string, Input>> {
  const found: Record<string, Input> = Object.create(null);
  for (const { name, value } of node.arguments ?? []) {
    if (isPresent(value, variables)) found[name.value] = inputOf(value, variables);
  }
  return found;
}

function isPresent(node: ValueNode, variables: TrackedVariables): boolean {
  return node.kind !== Kind.VARIABLE || variables.isPresent(node.name.value);
}

/** Makes an input from a value of the document. */
export function inputOf(node: ValueNode, variables: TrackedVariables): Input {
  if (node.kind === Kind.VARIABLE) {
    return variableInput({ name: node.name.value }, variables);
  }
  const nested = (item: ValueNode) => inputOf(item, variables);
  return {
    isNull: () => node.kind === Kind.NULL,
    fields: () => {
      if (node.kind !== Kind.OBJECT) return [];
      const present = node.fields.filter(({ value }) => isPresent(value, variables));
      return present.map(({ name, value }) => [name.value, nested(value)] as const);
    },
    items: () => (node.kind === Kind.LIST ? node.values.map(nested) : [nested(node)]),
    constant: () => jsonInDocument(node, (name) => variables.valueAt({ name })),
    parameter: (encode) => parameter(readerOf(node, encode)),
    reader: (encode) => readerOf(node, encode),
    source: { node, variables },
  };
}

function variableInput(place: VariablePlace, variables: TrackedVariables): Input {
  const part = (key: string | number) => variableInput({ within: place, key }, variables);
  return {
    isNull: () => variables.formOf(place) === null,
    fields: () => {
      const form = variables.formOf(place);
      return isJsonObject(form) ? Object.keys(form).map((key) => [key, part(key)] as const) : [];
    },
    items: () => {
      const form = variables.formOf(place);
      return Array.isArray(form)
        ? form.map((_, index) => part(index))
        : [variableInput(place, variables)];
    },
    constant: () => variables.valueAt(place),
    parameter: (encode) => parameter(readerAt(place, encode)),
    reader: (encode) => readerAt(place, encode),
    source: { place, variables },
  };
}

// A separate function, so that its closure contains no value of the request: parameter functions are cached with their
// statement.
function readerOf(node: ValueNode, encode: Encode): Parameter {
  if (holdsVariable(node)) {
    return (given) => encode(jsonInDocument(node, (name) => given.get(name)));
  }
  const value = encode(jsonInDocument(node));
  return () => value;
}

function readerAt(place: VariablePlace, encode: Encode): Parameter {
  return (given) => encode(valueAt(given, place));
}

/** Makes a parameter whose value is read from rows that earlier statements returned. */
export function writtenParameter(read: (written: Written) => BoundValue): SQL {
  const readWritten = (_variables: Variables, written: Written) => read(written);
  return parameter(Object.assign(readWritten, { readsWritten: true }));
}

/** Makes a parameter whose value is read when the statement runs. */
export function parameter(read: Parameter): SQL {
  // pg-sql2 returns the values unchanged, in the order of their placeholders.
  return sql.value(read as never);
}
