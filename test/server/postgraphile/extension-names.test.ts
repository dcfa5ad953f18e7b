import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Gateway } from '../graphql/support/gateway.ts';
import { draftingMetadata, startDrafting } from './support/drafting.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startDrafting();
});
afterAll(() => gateway.stop());

async function reasonFor(graphile: string): Promise<unknown> {
  await gateway.write(draftingMetadata(graphile));
  return gateway.reload().then(
    () => 'served',
    (error: { readonly message: string }) => error.message,
  );
}

const field = (name: string) => `fields: { ${name}: { roles: [clerk], v1: true } }`;
const related = (relationship: string) =>
  `fields: { digests: { roles: [clerk], v1: true } }\nrelationships: [{ ${relationship} }]`;
const columns = 'columns: { customerId: id }';

describe('loading the metadata refuses graphile.yaml', () => {
  test.each([
    ['digest: { roles: [clerk] }', 'RG_GRAPHILE', 'no plugin adds a query or mutation "digest"'],
    ['digest: { roles: [clerk] }', 'RG_GRAPHILE', 'did you mean "digests"?'],
    ['drafted: { roles: [clerk] }', 'RG_GRAPHILE', 'no plugin adds a query or mutation "drafted"'],
    ['allInvoices: { roles: [clerk] }', 'RG_GRAPHILE', 'is a root field of PostGraphile itself'],
    ['digests: { roles: [clark] }', 'RG_UNKNOWN_ROLE', 'role "clark" is not in roles.yaml'],
    ['digests: { roles: [] }', 'RG_SHAPE', 'roles'],
    ['digests: { roles: [clerk], v2: true }', 'RG_UNKNOWN_KEY', 'did you mean "v1"?'],
  ])('with the plugin root field %s', async (text, code, message) => {
    const reason = await reasonFor(`fields: { ${text} }`);
    expect(reason).toContain(code);
    expect(reason).toContain(message);
  });

  test.each([
    ['someCustomer', 'its type "Customer" is PostGraphile\'s own'],
    ['digestOf', 'its type "CustomerCondition" is PostGraphile\'s own'],
    ['linked', 'its type "Customer" is PostGraphile\'s own'],
    ['invoice_by_pk', '/v1/graphql has a root field "invoice_by_pk" already'],
    ['clashing', '/v1/graphql has a type "customer" already'],
  ])(
    "with the plugin field %s for /v1/graphql, where the field's name or type already exists",
    async (name, message) => {
      expect(await reasonFor(field(name))).toContain(message);
    },
  );

  test.each([
    [`type: Diggest, name: x, table: customer, ${columns}`, 'leads to an object type "Diggest"'],
    [`type: Diggest, name: x, table: customer, ${columns}`, 'did you mean "Digest"?'],
    [`type: Digest, name: parts, table: customer, ${columns}`, 'has a field "parts" already'],
    [`type: Digest, name: x, table: customers, ${columns}`, 'no table "customers"'],
    ['type: Digest, name: x, table: customer, columns: { customerId: idd }', 'no column "idd"'],
    ['type: Digest, name: x, table: customer, columns: { customer: id }', 'no field "customer"'],
    ['type: Digest, name: x, table: customer, columns: { parts: id }', 'not a single value'],
    [`type: Digest, name: x, table: customer, ${columns}, kind: both`, 'object or array'],
    ['type: Digest, name: x, table: customer, columns: {}', 'columns'],
    [
      `type: Digest, name: x, table: customer, ${columns} }, { type: Digest, name: x, table: customer, ${columns}`,
      'has two relationships "x"',
    ],
  ])("with the relationship { %s } of a plugin's type", async (text, message) => {
    expect(await reasonFor(related(text))).toContain(message);
  });

  test('but accepts a valid relationship, and a conflicting field that is not for /v1/graphql', async () => {
    const ok = `type: Digest, name: x, table: customer, ${columns}`;
    expect(await reasonFor(related(ok))).toBe('served');
    expect(await reasonFor('fields: { someCustomer: { roles: [clerk] } }')).toBe('served');
  });
});
