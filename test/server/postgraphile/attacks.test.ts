import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import {
  type Answer,
  type Ask,
  type Gateway,
  headersOf,
  startGateway,
} from '../graphql/support/gateway.ts';
import { shopMetadata, shopSchema } from './support/shop.ts';

let gateway: Gateway;
let owner: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({
    schema: shopSchema,
    metadata: { ...shopMetadata, 'graphile.yaml': '{}\n' },
    config: { poolSize: 2 },
  });
  owner = await gateway.database.connectOwner();
});
afterAll(() => gateway.stop());

type Server = Pick<Gateway, 'send'>;
async function ask(query: string, who: Ask, variables?: unknown, server: Server = gateway) {
  const init = { headers: headersOf(who), body: JSON.stringify({ query, variables }) };
  return (await server.send(init, '/graphql')).json() as Promise<Answer>;
}
const messageOf = ({ errors }: Answer) =>
  `${errors?.[0]?.extensions.code}: ${errors?.[0]?.message}`;
const tenant = (id: string): Ask => ({ role: 'clerk', variables: { 'Tenant-Id': id } });
const clerk = tenant('1');
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe("PostGraphile's endpoint refuses, before the query is planned,", () => {
  const rows = '{ nodes { rowId } }';
  const nested = (depth: number): string =>
    depth === 0
      ? 'rowId'
      : `customerByCustomerId { invoicesByCustomerId { nodes { ${nested(depth - 1)} } } }`;
  const doubled = `{ ...f0 } ${times(20, (at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`)}
    fragment f20 on Query { id }`;
  const endless = `{ ...f0 } ${times(40, (at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`)}
    fragment f40 on Query { ...f0 }`;
  test.each([
    [
      'one field under 1000 aliases',
      `{ ${times(1000, (at) => `a${at}: id`)} }`,
      {},
      'the operation has more than 300 fields',
    ],
    [
      'one list under 101 aliases',
      `{ ${times(101, (at) => `a${at}: allInvoices(first: 1) ${rows}`)} }`,
      {},
      'the operation has more than 300 fields',
    ],
    [
      'fragments that each spread the next one twice, over 20 levels',
      doubled,
      {},
      'the operation has more than 300 fields',
    ],
    [
      'fragments without fields that each spread the next one twice',
      endless,
      {},
      'the operation has more than 1600 fragments',
    ],
    [
      'selections nested deeper than the depth limit',
      `{ allInvoices { nodes { ${nested(6)} } } }`,
      {},
      'nested deeper than 12 levels',
    ],
    [
      'a document with more tokens than the limit',
      `{ ${'id '.repeat(6000)} }`,
      {},
      'more than 5000 words and signs',
    ],
    [
      'a document whose other operations, which would not run, are too large',
      `query a { id } query b { ${times(1700, () => 'id')} }`,
      {},
      'the document has more than',
    ],
    [
      'a page of 1000000 rows by "first"',
      `{ allInvoices(first: 1000000) ${rows} }`,
      {},
      '"first" and "last" are 1000 at most',
    ],
    [
      'a page of 1000000 rows by "last"',
      `{ allInvoices(last: 1000000) ${rows} }`,
      {},
      '"first" and "last" are 1000 at most',
    ],
    [
      'a page of 1000000 rows by a variable',
      `query ($n: Int) { allInvoices(first: $n) ${rows} }`,
      { n: 1_000_000 },
      '"first" and "last" are 1000 at most',
    ],
    [
      'a page of 1000000 rows by the default of a variable',
      `query ($n: Int = 1000000) { allInvoices(first: $n) ${rows} }`,
      {},
      '"first" and "last" are 1000 at most',
    ],
    [
      'nested lists that could have more than 200000 rows together',
      `{ allTenants(first: 1000) { nodes { invoicesByTenantId(first: 1000) ${rows} } } }`,
      {},
      'more than 200000 rows together',
    ],
    [
      'a list with 60 orderings',
      `query ($o: [InvoiceOrderBy!]) { allInvoices(orderBy: $o) ${rows} }`,
      { o: Array.from({ length: 60 }, () => 'TOTAL_ASC') },
      'ordered by more than 50 values',
    ],
    [
      'a variable with 10001 values',
      'query ($c: InvoiceCondition) { allInvoices(condition: $c) { nodes { rowId } } }',
      { c: Array.from({ length: 10_001 }, () => 1) },
      'may have 10000 objects',
    ],
    [
      'introspection that returns the list of all types 80 times',
      `{ ${times(80, (at) => `a${at}: __schema { types { fields { name type { name } } } }`)} }`,
      {},
      'selects too much of the schema',
    ],
    [
      'a fragment that contains itself',
      '{ ...f } fragment f on Query { ...f }',
      {},
      'Cannot spread fragment',
    ],
  ])('%s', async (_what, query, variables, message) => {
    const name = query.startsWith('query a') ? { operationName: 'a' } : {};
    const body = JSON.stringify({ query, variables, ...name });
    const response = await gateway.send({ headers: headersOf(clerk), body }, '/graphql');
    expect(messageOf((await response.json()) as Answer)).toContain(message);
  });

  test('151 fields of the interface type Node, because each also counts for its possible types', async () => {
    const nodes = (count: number) => `{ ${times(count, (at) => `a${at}: node(id: "x") { id }`)} }`;
    expect((await ask(nodes(100), clerk)).errors).toBeUndefined();
    expect(messageOf(await ask(nodes(151), clerk))).toContain('more than 300 fields');
  });
});

describe("PostGraphile's endpoint does not reveal hidden columns and rows", () => {
  test.each([
    [
      'by a hidden column in a condition',
      'query ($c: InvoiceCondition) { allInvoices(condition: $c) { nodes { number } } }',
      { c: { margin: '1' } },
    ],
    [
      'by a hidden column in an ordering',
      'query ($o: [InvoiceOrderBy!]) { allInvoices(orderBy: $o) { nodes { number } } }',
      { o: ['MARGIN_ASC'] },
    ],
    [
      'by a hidden column in an input',
      'mutation ($i: InvoiceInput!) { createInvoice(input: {invoice: $i}) { clientMutationId } }',
      { i: { customerId: 1, number: 'X', margin: '1' } },
    ],
    [
      'by a tenant in an input',
      'mutation ($i: InvoiceInput!) { createInvoice(input: {invoice: $i}) { clientMutationId } }',
      { i: { customerId: 1, number: 'X', tenantId: 2 } },
    ],
  ])('%s', async (_what, query, variables) => {
    expect(messageOf(await ask(query, clerk, variables))).toMatch(/^validation-failed: /);
  });

  test.each([
    ['an invalid cursor', '{ allInvoices(after: "bm9uZQ==") { nodes { number } } }'],
    ['a cursor of another order', '{ allInvoices(after: "WyJ4IiwxXQ==") { nodes { number } } }'],
    ['an invalid number', '{ invoiceByRowId(rowId: 99999999999) { number } }'],
    [
      'a value out of range',
      'mutation { createInvoice(input: {invoice: {customerId: 1, number: "Y", total: "1e40"}}) { clientMutationId } }',
    ],
    [
      'a reference to a row of another tenant',
      'mutation { createInvoice(input: {invoice: {customerId: 777, number: "Z"}}) { clientMutationId } }',
    ],
    [
      'an existing number of another tenant',
      'mutation { createInvoice(input: {invoice: {customerId: 1, number: "B-1"}}) { clientMutationId } }',
    ],
    ['a negative page', '{ allInvoices(first: -1) { nodes { number } } }'],
  ])('by the error for %s', async (_what, query) => {
    const message = messageOf(await ask(query, clerk));
    expect(message).not.toMatch(
      /public\.|select |insert into|relation|syntax|rowgate_|pg_|tenant|margin|\(B-1\)/i,
    );
    expect(message).not.toMatch(/^undefined|^unexpected/);
  });

  test('by a forged node id, which returns null', async () => {
    const idOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const ids = [
      'x',
      '',
      idOf(['Invoice', 4]),
      idOf(['Audit', 1]),
      idOf(['Invoice', { a: 1 }]),
      idOf({}),
    ];
    for (const id of ids) {
      const answer = await ask('query ($id: ID!) { node(id: $id) { id } }', clerk, { id });
      expect(JSON.stringify(answer.data ?? { node: null }), id).toBe('{"node":null}');
    }
  });

  test('by suggestions of similar names to a role without introspection', async () => {
    const server = await gateway.beside({});
    const query =
      'query ($c: InvoiceCondition) { allInvoices(condition: $c) { nodes { number } } }';
    const answer = await ask(query, { role: 'guest' }, { c: { totl: '1' } }, server);
    expect(messageOf(answer)).not.toContain('Did you mean');
  });
});

test.each([
  [
    'sets "first" and "last" by absent variables',
    'query ($n: Int) { allInvoices(first: $n, last: $n) { nodes { number } } }',
  ],
  ['selects a list twice', '{ allInvoices { __typename } allInvoices { nodes { number } } }'],
  [
    'selects a list in fragments',
    '{ ...a ...b } fragment a on Query { allInvoices { __typename } } fragment b on Query { allInvoices { nodes { number } } }',
  ],
  [
    'selects a list twice with an alias',
    '{ allInvoices: allInvoices { __typename } ... { allInvoices { edges { node { number } } } } }',
  ],
])(
  "PostGraphile's endpoint returns no more rows than the role's rule allows when an operation %s",
  async (_what, query) => {
    const server = await gateway.beside({});
    const { nodes, edges } = (await ask(query, { role: 'guest' }, undefined, server)).data
      .allInvoices;
    expect(nodes ?? edges).toHaveLength(2);
  },
);

test("PostGraphile's endpoint refuses an operation whose answer exceeds the size limit", async () => {
  const { limits } = parseConfig({}, '/').config;
  const server = await gateway.beside({ limits: { ...limits, responseBytes: 1024 } });
  const fields = times(100, (at) => `a${at}: number`);
  const query = `{ allInvoices { nodes { ${fields} } } }`;
  expect(messageOf(await ask(query, clerk, undefined, server))).toMatch(/^size-limit-exceeded: /);
});

test('600 interleaved requests of two tenants on two connections, with errors and timeouts, return only rows of the right tenant', async () => {
  const { limits } = parseConfig({}, '/').config;
  const server = await gateway.beside({
    ...{ poolSize: 2, limits: { ...limits, statementTimeoutMs: 3000, maxWaitMs: 600_000 } },
  });
  const list = '{ allInvoices { nodes { tenantId customerByCustomerId { tenantId } } } }';
  const failing =
    'mutation { createInvoice(input: {invoice: {customerId: 1, number: "A-1"}}) { clientMutationId } }';
  const slow = '{ slowInvoices(seconds: 500) { nodes { number } } }';
  const outcomes = await Promise.all(
    Array.from({ length: 600 }, async (_, index) => {
      const [id, other] = index % 2 === 0 ? ['1', '2'] : ['2', '1'];
      const seen = JSON.stringify(await ask(list, tenant(id), undefined, server));
      const own = JSON.stringify(await ask(failing, tenant(id), undefined, server));
      const late = index % 300 === 0 ? await ask(slow, {}, undefined, server) : 'not sent';
      return {
        isOwn: seen.includes(`"tenantId":${id}`) || seen.includes('time-limit-exceeded'),
        isForeign: seen.includes(`"tenantId":${other}`),
        isRefused: /constraint-violation|time-limit-exceeded/.test(own),
        isLate: /time-limit-exceeded|not sent/.test(JSON.stringify(late)),
      };
    }),
  );
  const expected = { isOwn: true, isForeign: false, isRefused: true, isLate: true };
  expect(outcomes).toEqual(Array.from({ length: 600 }, () => expected));
  const { rows } = await owner.query('select count(*)::int as count from public.invoice');
  expect(rows).toEqual([{ count: 4 }]);
});
