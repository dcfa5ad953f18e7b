import { type FieldNode, Kind, type ValueNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { BoundValue } from '../../db/request-pool.ts';
import { isJsonObject, type Json } from '../json.ts';
import { holdsVariable, jsonInDocument } from '../validate/json-in-document.ts';
import type { Variables } from '../validate/variables.ts';
import type { Encode } from './encode.ts';
import type { Shape } from './shape.ts';

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
}

/** The arguments of a field that are given and, if variables, not absent. */
export function argumentsOf(
  node: FieldNode,
  shape: Shape,
  variables: Variables,
): Readonly<Record<string, Input>> {
  const found: Record<string, Input> = Object.create(null);
  for (const { name, value } of node.arguments ?? []) {
    const input = inputOf(value, shape, variables);
    if (isPresent(value, shape, variables)) found[name.value] = input;
  }
  return found;
}

function isPresent(node: ValueNode, shape: Shape, variables: Variables): boolean {
  if (node.kind !== Kind.VARIABLE || variables.has(node.name.value)) return true;
  shape.forms.add(node.name.value);
  return false;
}

/** An input value of the document. */
export function inputOf(node: ValueNode, shape: Shape, variables: Variables): Input {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    return variableInput(name, [], variables.get(name) ?? null, shape);
  }
  const nested = (item: ValueNode) => inputOf(item, shape, variables);
  return {
    isNull: () => node.kind === Kind.NULL,
    fields: () => {
      if (node.kind !== Kind.OBJECT) return [];
      const present = node.fields.filter(({ value }) => isPresent(value, shape, variables));
      return present.map(({ name, value }) => [name.value, nested(value)] as const);
    },
    items: () => (node.kind === Kind.LIST ? node.values.map(nested) : [nested(node)]),
    constant: () => jsonInDocument(node, variables),
    parameter: (encode) => {
      if (holdsVariable(node)) return parameter((given) => encode(jsonInDocument(node, given)));
      const value = encode(jsonInDocument(node, variables));
      return parameter(() => value);
    },
  };
}

function variableInput(
  name: string,
  path: readonly (string | number)[],
  value: Json,
  shape: Shape,
): Input {
  const part = (key: string | number, item: Json) =>
    variableInput(name, [...path, key], item, shape);
  return {
    isNull: () => {
      shape.forms.add(name);
      return value === null;
    },
    fields: () => {
      shape.forms.add(name);
      if (!isJsonObject(value)) return [];
      return Object.entries(value).map(([key, item]) => [key, part(key, item)] as const);
    },
    items: () => {
      shape.forms.add(name);
      if (!Array.isArray(value)) return [variableInput(name, path, value, shape)];
      return value.map((item: Json, index) => part(index, item));
    },
    constant: () => {
      shape.values.add(name);
      return value;
    },
    parameter: (encode) => parameter((variables) => encode(valueAt(variables, name, path))),
  };
}

/** A value that is known when the statement runs. */
export function parameter(read: Parameter): SQL {
  // pg-sql2 hands values back untouched, in the order of their places.
  return sql.value(read as never);
}

function valueAt(variables: Variables, name: string, path: readonly (string | number)[]): Json {
  let value: Json | undefined = variables.get(name);
  for (const key of path) value = (value as Readonly<Record<string | number, Json>>)[key];
  return value ?? null;
}
