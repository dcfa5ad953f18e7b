import { buildClientSchema, getIntrospectionQuery, printSchema } from 'postgraphile/graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

test('the answer to an introspection query is complete enough for a client to build the schema', async () => {
  const { data } = await gateway.ask(getIntrospectionQuery());
  const printed = printSchema(buildClientSchema(data));
  expect(printed).toContain('type query_root {');
  expect(printed).toContain('  organization: organization!\n');
});

test("introspection lists names in alphabetical order, even the values of GraphQL's own enum __TypeKind", async () => {
  const { data } = await gateway.ask('{ __type(name: "__TypeKind") { enumValues { name } } }');
  expect(data.__type.enumValues.map(({ name }: { name: string }) => name)).toEqual([
    'ENUM',
    'INPUT_OBJECT',
    'INTERFACE',
    'LIST',
    'NON_NULL',
    'OBJECT',
    'SCALAR',
    'UNION',
  ]);
});
