import { constant } from 'postgraphile/grafast';
import { extendSchema, gql } from 'postgraphile/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostGraphile } from '../../../server/postgraphile/open-dialect.ts';
import type { Extension } from '../../../server/postgraphile/preset/extension.ts';
import { type Gateway, headersOf, startGateway } from '../graphql/support/gateway.ts';
import { shopMetadata, shopSchema } from './support/shop.ts';

const position = { file: 'greetings.yaml', line: 1, column: 1 };

/** A source of extension fields other than graphile.yaml; the gateway accepts any number of sources. */
const greetings: Extension = {
  name: 'greetings.yaml',
  plugins: [
    extendSchema({
      typeDefs: gql`
        type Greeting { customerId: Int!, text: String!, customer: Customer }
        extend type Query { greeting: Greeting!, secret: String }
      `,
      objects: {
        Query: { plans: { greeting: () => constant({ customerId: 1, text: 'hello' }) } },
      },
    }),
  ],
  fields: new Map([
    ['greeting', { roles: new Set(['clerk', 'logger']), inHasura: true, position }],
  ]),
  relationships: [
    {
      ...{ typeName: 'Greeting', name: 'customer', kind: 'object', table: 'public.customer' },
      mapping: [{ field: 'customerId', column: 'id' }],
    },
  ],
  usesDatabase: false,
  waitMs: new Map(),
  scalarNames: new Map(),
  positions: new Map(),
  position,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({
    ...{ schema: shopSchema, metadata: shopMetadata },
    openOther: openPostGraphile([async () => [greetings]]),
  });
});
afterAll(() => gateway.stop());

const clerk = (tenant: string) => ({ role: 'clerk', variables: { 'Tenant-Id': tenant } });
const query = '{ greeting { text customer { name } } customer { id } }';

test('extension fields from a source other than graphile.yaml are served in /v1/graphql, with their relationships', async () => {
  expect(await gateway.ask(query, clerk('1'))).toEqual({
    data: {
      greeting: { text: 'hello', customer: { name: 'Ada' } },
      customer: [{ id: 1 }, { id: 2 }],
    },
  });
  expect((await gateway.ask(query, clerk('2'))).data.greeting.customer).toBeNull();
  const others = [
    ['{ secret }', clerk('1')],
    ['{ greeting { text } }', { ...clerk('1'), role: 'analyst' }],
    ['{ greeting { customer { name } } }', { role: 'logger' }],
  ] as const;
  for (const [closed, who] of others) {
    expect((await gateway.ask(closed, who)).errors?.[0]?.message).toContain('not found in type');
  }
});

test("PostGraphile's dialect is not served without graphile.yaml, even if another source adds extension fields", async () => {
  const init = {
    headers: headersOf(clerk('1')),
    body: JSON.stringify({ query: '{ greeting { text } }' }),
  };
  expect((await gateway.send(init, '/graphql')).status).toBe(404);
});
