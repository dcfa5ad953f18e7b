import { Kind, type ValueNode } from 'postgraphile/graphql';
import { exactNumber, type Json } from '../json.ts';

/** Converts a value in the document to JSON; unknown variables become null. */
export function jsonInDocument(
  node: ValueNode,
  variable: (name: string) => Json | undefined = () => undefined,
): Json {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variable(node.name.value) ?? null;
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return exactNumber(node.value);
    case Kind.LIST:
      return node.values.map((item) => jsonInDocument(item, variable));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, jsonInDocument(value, variable)]),
      );
    default:
      return node.value;
  }
}

/** Returns true if the value is a variable or contains one. */
export function holdsVariable(node: ValueNode): boolean {
  switch (node.kind) {
    case Kind.VARIABLE:
      return true;
    case Kind.LIST:
      return node.values.some(holdsVariable);
    case Kind.OBJECT:
      return node.fields.some(({ value }) => holdsVariable(value));
    default:
      return false;
  }
}
