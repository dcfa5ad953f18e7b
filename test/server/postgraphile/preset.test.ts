import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Answer,
  type Ask,
  type Gateway,
  headersOf,
  startGateway,
} from '../graphql/support/gateway.ts';
import { shopMetadata, shopSchema } from './support/shop.ts';

const config = `
import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { extendSchema, gql, jsonPgSmartTags } from 'postgraphile/utils';
import { context, lambda } from 'postgraphile/grafast';

interface Named { readonly attributeName: string }

const InflectionPlugin: GraphileConfig.Plugin = {
  name: 'OwnInflectionPlugin',
  version: '1.0.0',
  inflection: {
    replace: {
      _attributeName(previous, _options, details: Named & Record<string, unknown>) {
        return details.attributeName === 'id' ? 'id' : previous?.(details as never) ?? '';
      },
      nodeIdFieldName: () => 'nodeId',
    },
  },
};

const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
  plugins: [
    InflectionPlugin,
    jsonPgSmartTags({
      version: 1,
      config: {
        class: {
          invoice: { tags: { name: 'bill' }, attribute: { note: { tags: { behavior: '-select' } } } },
          customer: { attribute: { email: { tags: { behavior: '+select +orderBy' } } } },
        },
      },
    }),
    extendSchema({
      typeDefs: gql\`
        extend type Customer { shout: String, caller: String }
        extend type Query { everything: Int }
      \`,
      objects: {
        Customer: {
          plans: {
            shout: ($customer: { get(name: string): never }) =>
              lambda($customer.get('name'), (name: string) => name.toUpperCase()),
            caller: () =>
              lambda(context().get('rowgate' as never), (caller) => JSON.stringify(caller)),
          },
        },
      },
    }),
  ],
  grafserv: { graphqlPath: '/elsewhere' },
  grafast: { context: () => ({ pgSettings: { role: 'postgres' } }) },
};
export default preset;
`;

const metadata = {
  'graphile.yaml': 'config: ./graphile.config.ts\n',
  'graphile.config.ts': config,
};

let gateway: Gateway;
beforeAll(async () => {
  // The preset must import the same copies of packages as Rowgate, so it needs the same node_modules.
  gateway = await startGateway({ schema: shopSchema, metadata: shopMetadata });
  const packages = path.resolve(import.meta.dirname, '../../../node_modules');
  await symlink(packages, path.join(gateway.folder, 'node_modules'));
  await gateway.write(metadata);
  await gateway.apply();
  await gateway.reload();
});
afterAll(() => gateway.stop());

async function ask(query: string, who: Ask): Promise<Answer> {
  const init = { headers: headersOf(who), body: JSON.stringify({ query }) };
  return (await gateway.send(init, '/graphql')).json() as Promise<Answer>;
}
const clerk: Ask = { role: 'clerk', variables: { 'Tenant-Id': '1' } };

test('the preset named in graphile.yaml determines the names in the schema, and its smart tags hide a column', async () => {
  const query =
    '{ allBills(first: 1) { nodes { id nodeId number customerByCustomerId { name } } } }';
  expect(await ask(query, clerk)).toEqual({
    data: {
      allBills: {
        nodes: [
          {
            id: 1,
            nodeId: expect.any(String),
            number: 'A-1',
            customerByCustomerId: { name: 'Ada' },
          },
        ],
      },
    },
  });
  expect((await ask('{ allBills { nodes { note } } }', clerk)).errors?.[0]?.message).toContain(
    'note',
  );
});

test('a plugin of the preset can add fields to types, and reads role and session variables of the caller', async () => {
  const query = '{ customerById(id: 1) { shout caller } }';
  expect((await ask(query, clerk)).data.customerById).toEqual({
    shout: 'ADA',
    caller: '{"role":"clerk","variables":{"tenant_id":"1"}}',
  });
});

test('a preset makes no plugin root field available, and its smart tags reveal no column that the role may not read', async () => {
  const messages = await Promise.all(
    [
      ['{ everything }', { role: 'admin' }],
      [
        '{ allCustomers { nodes { email } } }',
        { role: 'analyst', variables: { 'Tenant-Id': '1' } },
      ],
      ['{ allCustomers(orderBy: EMAIL_ASC) { nodes { id } } }', { role: 'directory' }],
    ].map(async ([query, who]) => (await ask(query as string, who as Ask)).errors?.[0]?.message),
  );
  expect(messages).toEqual([
    expect.stringContaining('everything'),
    expect.stringContaining('email'),
    expect.stringContaining('EMAIL_ASC'),
  ]);
});

test('top-level keys of the preset that Rowgate ignores are named in the log', () => {
  expect(gateway.log.join()).toContain('"keys":["grafserv","grafast"]');
});

test.each([
  ['does not exist', undefined, 'ENOENT'],
  [
    'has no default export',
    'export const preset = {};',
    'it must have a preset as its default export',
  ],
  ['fails while it loads', `throw new Error('no such thing\\nat all');`, 'no such thing'],
  [
    'disables the plugin that enforces the rules',
    `export default { disablePlugins: ['RowgateRoleBehaviorPlugin'] };`,
    'the preset disables RowgateRoleBehaviorPlugin',
  ],
  [
    'has several databases',
    `export default { pgServices: [{ name: 'main' }, { name: 'other' }] };`,
    'the preset has several pgServices; Rowgate serves one database',
  ],
])(
  'a preset that %s is refused with the position in graphile.yaml, and the previous version stays served',
  async (_what, text, message) => {
    const file = `broken-${message.length}.config.ts`;
    await gateway.write({
      ...(text !== undefined && { [file]: text }),
      'graphile.yaml': `config: ./${file}\n`,
    });
    const refused = await gateway.reload().then(String, String);
    expect(refused).toContain(message);
    expect(refused).toMatch(/graphile\.yaml:1:1 RG_GRAPHILE the preset/);
    // After the failed reload, the previous version is still served.
    expect((await ask('{ allBills(first: 1) { nodes { id } } }', clerk)).data).toBeDefined();
  },
);
