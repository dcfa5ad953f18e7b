import { Kind, type ValueNode } from 'postgraphile/graphql';
import { isExactNumber, type Json } from '../json.ts';

/** A value from the client, in the document or in a variable. */
export type ClientValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'number'; readonly text: string; readonly found: string }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'string'; readonly text: string; readonly fromDocument: boolean }
  | { readonly kind: 'enum'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ClientValue[] }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, ClientValue])[] };

/** Converts a value in the document. */
export function clientValueInDocument(node: ValueNode): ClientValue {
  switch (node.kind) {
    case Kind.NULL:
      return { kind: 'null' };
    case Kind.VARIABLE:
      return { kind: 'variable', name: node.name.value };
    case Kind.INT:
      return { kind: 'number', text: node.value, found: 'an integer' };
    case Kind.FLOAT:
      return { kind: 'number', text: node.value, found: 'a float' };
    case Kind.BOOLEAN:
      return { kind: 'boolean' };
    case Kind.STRING:
      return { kind: 'string', text: node.value, fromDocument: true };
    case Kind.ENUM:
      return { kind: 'enum', text: node.value };
    case Kind.LIST:
      return { kind: 'list', items: node.values.map(clientValueInDocument) };
    case Kind.OBJECT:
      return {
        kind: 'object',
        fields: node.fields.map(({ name, value }) => [name.value, clientValueInDocument(value)]),
      };
  }
}

/** Converts the value of a variable. */
export function clientValueOfJson(value: Json): ClientValue {
  if (value === null) return { kind: 'null' };
  if (isExactNumber(value)) return { kind: 'number', text: value.rawJSON, found: 'a number' };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(clientValueOfJson) };
  switch (typeof value) {
    case 'number':
      return { kind: 'number', text: String(value), found: 'a number' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'string':
      return { kind: 'string', text: value, fromDocument: false };
    default:
      return {
        kind: 'object',
        fields: Object.entries(value).map(([key, item]) => [key, clientValueOfJson(item)]),
      };
  }
}

/** Describes a value for the message `but found …`. */
export function describeClientValue(given: ClientValue): string {
  switch (given.kind) {
    case 'null':
      return 'null';
    case 'number':
      return given.found;
    case 'enum':
      return 'an enum value';
    case 'object':
      return 'an object';
    default:
      return `a ${given.kind}`;
  }
}
