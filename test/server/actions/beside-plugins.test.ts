import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import type { Receiver } from '../events/support/receiver.ts';
import type { Gateway } from '../graphql/support/gateway.ts';
import { draftingMetadata, startDrafting } from '../postgraphile/support/drafting.ts';
import { postTo, startHandler } from './support/shop-actions.ts';

const actions = `
actions:
  seen: { type: mutation, output_type: Int!, handler: /seen, permissions: [clerk] }
  counted: { type: query, output_type: Int!, handler: /counted, permissions: [clerk] }
`;

const allowList = `
collections:
  all:
    operations:
      - { name: fits, query: '{ counted allInvoices { nodes { number } } }' }
      - { name: misled, query: '{ counted allInvoices { nodes { margin } } }' }
allow:
  - { collection: all, roles: [clerk] }
`;

let gateway: Gateway;
let handler: Receiver;
beforeAll(async () => {
  const started = await startHandler();
  handler = started.handler;
  const fields = 'fields: { digests: { roles: [clerk], v1: true } }';
  gateway = await startDrafting({
    metadata: {
      ...draftingMetadata(fields),
      'actions.yaml': actions,
      'allow_list.yaml': allowList,
    },
    actions: started.actions,
  });
});
afterAll(async () => {
  await gateway.stop();
  await handler.close();
});

const ask = (query: string, endpoint: string) => postTo(gateway, endpoint, { query });

const both = ['/graphql', '/v1/graphql'];

test.each(both)(
  'in %s a role that may call an action does not get access to a plugin field with the same name',
  async (endpoint) => {
    expect(await ask('mutation { seen }', endpoint)).toEqual({ data: { seen: 7 } });
    expect((await ask('{ seen }', endpoint)).errors?.[0]?.message).toMatch(/seen/);
  },
);

test.each(both)(
  'in %s one operation can select both an action and a plugin field',
  async (endpoint) => {
    const query = '{ counted digests(ids: [1]) { customerId } }';
    expect(await ask(query, endpoint)).toEqual({
      data: { counted: 7, digests: [{ customerId: 1 }] },
    });
  },
);

test("the command check accepts allow-listed operations that call actions in PostGraphile's dialect", async () => {
  const environment = { DATABASE_URL: gateway.database.ownerUrl, ROWGATE_DATA_DIR: gateway.folder };
  const { stdout, stderr } = await runCommand(['check', '--metadata', gateway.folder], environment);
  expect(`${stdout}${stderr}`).not.toContain('"fits"');
  expect(`${stdout}${stderr}`).toMatch(/RG_ALLOW_LIST .*"misled"/);
});

test('loading the metadata refuses an action and a plugin field with the same name if a role may use the plugin field', async () => {
  const graphile = 'fields: { seen: { roles: [clerk] } }';
  await gateway.write(draftingMetadata(graphile));
  await expect(gateway.reload()).rejects.toThrow(
    /actions\.yaml:3:3 RG_GRAPHILE two extensions open a field "seen"/,
  );
});
