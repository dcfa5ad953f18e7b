import { type FieldNode, Kind, print, type ValueNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { BoundValue } from '../../../db/requests/request-pool.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { holdsVariable, jsonInDocument } from '../../validate/json-in-document.ts';
import type { Variables } from '../../validate/variables.ts';
import type { Encode } from './encode.ts';
import { type NotedVariables, type VariablePlace, valueAt } from './noted-variables.ts';

/** The row that each statement of a mutation has returned so far, in order; empty for queries. */
export type Written = readonly (readonly (string | null)[])[];

/** Reads the value of one parameter from the variables of a request, or from what earlier statements returned. */
export type Parameter = (variables: Variables, written: Written) => BoundValue;

/** A checked input value: in the document, or inside a variable. Asking for its form makes the statement depend on it. */
export interface Input {
  isNull(): boolean;
  /** Of an object, in the order given, without those whose variable is absent. */
  fields(): readonly (readonly [string, Input])[];
  /** Of a list, or the value itself as a list of one. */
  items(): readonly Input[];
  /** The value itself, compiled into the statement. */
  constant(): Json;
  /** The value as a parameter. */
  parameter(encode: Encode): SQL;
  /** Where it stands. */
  readonly source: Source;
}

type Source =
  | { readonly node: ValueNode; readonly variables: NotedVariables }
  | { readonly place: VariablePlace; readonly variables: NotedVariables };

/** Whether two values are the same. The statement then depends on that alone, and not on the values. */
export function isSame({ source: a }: Input, { source: b }: Input): boolean {
  if ('node' in a) {
    if (!('node' in b) || holdsVariable(a.node) || holdsVariable(b.node)) return false;
    return print(a.node) === print(b.node);
  }
  return 'place' in b && a.variables.areSame(a.place, b.place);
}

/** The items of a list without those that say the same as an earlier one, in every request of one shape. */
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

// Equal texts of a document are equal values, whatever their variables hold.
function keyOf({ source }: Input): number | string {
  if ('place' in source) return JSON.stringify(source.place);
  return source.variables.valuesOfDocument.numberOf(source.node);
}

/** The arguments of a field that are given and, if variables, not absent. */
export function argumentsOf(
  node: FieldNode,
  variables: NotedVariables,
): Readonly<Record<string, Input>> {
  const found: Record<string, Input> = Object.create(null);
  for (const { name, value } of node.arguments ?? []) {
    if (isPresent(value, variables)) found[name.value] = inputOf(value, variables);
  }
  return found;
}

function isPresent(node: ValueNode, variables: NotedVariables): boolean {
  return node.kind !== Kind.VARIABLE || variables.isPresent(node.name.value);
}

/** An input value of the document. */
export function inputOf(node: ValueNode, variables: NotedVariables): Input {
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
    source: { node, variables },
  };
}

function variableInput(place: VariablePlace, variables: NotedVariables): Input {
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
    source: { place, variables },
  };
}

// A function of its own: readers are stored with their statement, and must hold nothing of the request that it was
// compiled for.
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

/** A value that is known when the statement runs. */
export function parameter(read: Parameter): SQL {
  // pg-sql2 hands values back untouched, in the order of their places.
  return sql.value(read as never);
}
