import { type GraphQLInputType, getNamedType, isListType, isNonNullType } from 'graphql';

/** Returns the GraphQL literal for a value that Postgres has printed as text. */
export function literalOf(type: GraphQLInputType, text: string): string {
  if (isNonNullType(type)) return literalOf(type.ofType, text);
  if (isListType(type)) return `[${literalOf(type.ofType, text)}]`;
  switch (getNamedType(type).name) {
    case 'Int':
    case 'Float':
    case 'Boolean':
      return text;
    case 'json':
    case 'jsonb':
      return jsonLiteral(JSON.parse(text));
    default:
      return JSON.stringify(text);
  }
}

function jsonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, item]) => `${key}: ${jsonLiteral(item)}`);
  return `{${fields.join(', ')}}`;
}

/** Returns the operand with which an operator of a `…_comparison_exp` compares the value. */
export function operandOf(operator: string, type: GraphQLInputType, text: string): string {
  if (operator === '_is_null') return 'false';
  if (operator === '_cast') {
    const word = getNamedType(type).name === 'jsonb_cast_exp' ? wordIn(text) : text;
    return `{String: {_like: ${JSON.stringify(`%${word}%`)}}}`;
  }
  if (/^_has_key/.test(operator)) return literalOf(type, wordIn(text));
  if (/like|similar/.test(operator)) return literalOf(type, `%${text}%`);
  return literalOf(type, text);
}

/** Returns the only key of a jsonb object. */
function wordIn(text: string): string {
  return Object.keys(JSON.parse(text))[0] ?? '';
}
