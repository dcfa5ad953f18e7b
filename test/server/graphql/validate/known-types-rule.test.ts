import { buildSchema, parse, validate } from 'postgraphile/graphql';
import { expect, test } from 'vitest';
import { knownTypesRule } from '../../../../server/graphql/validate/known-types-rule.ts';

test('a document that defines the types of its 1000 variables itself makes the rule list the types once', () => {
  const schema = buildSchema('type Query { a: Int }');
  // The first validation also checks the schema itself.
  validate(schema, parse('{ a }'), []);
  let listed = 0;
  const types = new Proxy(schema.getTypeMap(), {
    ownKeys: (target) => {
      listed += 1;
      return Reflect.ownKeys(target);
    },
  });
  schema.getTypeMap = () => types;
  const variables = Array.from({ length: 1000 }, (_, index) => `$a${index}: Own`).join(' ');
  const document = parse(`type Own { a: Int } query (${variables}) { a }`);
  expect(validate(schema, document, [knownTypesRule])).toEqual([]);
  expect(listed).toBe(1);
  const [error] = validate(schema, parse('query ($a: Strin) { a }'), [knownTypesRule]);
  expect(error?.message).toBe('Unknown type "Strin". Did you mean "String"?');
});
