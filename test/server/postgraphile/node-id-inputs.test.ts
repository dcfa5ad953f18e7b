import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PostGraphileRelayPreset } from 'postgraphile/presets/relay';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shopMetadata, shopSchema } from './support/shop.ts';
import { type StockEngines, startStockEngines } from './support/stock-engines.ts';

let stock: StockEngines;
beforeAll(async () => {
  const preset = { extends: [PostGraphileAmberPreset, PostGraphileRelayPreset] };
  stock = await startStockEngines({ schema: shopSchema, metadata: shopMetadata, preset });
});
afterAll(() => stock.stop());

const update = `mutation ($id: ID!, $customer: ID!) {
  updateInvoice(input: {id: $id, invoicePatch: {customerByCustomerId: $customer}}) {
    invoice { customerByCustomerId { name } } } }`;

test('a mutation can set a foreign key by the node id of the related row, and refuses a node id of another type', async () => {
  const query = '{ allInvoices(first: 1) { nodes { id } } allCustomers(last: 1) { nodes { id } } }';
  const { allInvoices, allCustomers } = (await stock.run('admin', query)) as Record<
    'allInvoices' | 'allCustomers',
    { readonly nodes: readonly { readonly id: string }[] }
  >;
  const id = allInvoices.nodes[0]?.id ?? '';
  const customer = allCustomers.nodes[0]?.id ?? '';
  expect(await stock.run('admin', update, { variables: { id, customer } })).toEqual({
    updateInvoice: { invoice: { customerByCustomerId: { name: 'Cyd' } } },
  });
  expect(await stock.run('admin', update, { variables: { id, customer: id } })).toBe(
    `bad-request: Invalid node identifier for 'Customer': "${id}"`,
  );
});
