import { createHash } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GraphileModel, loadModel } from '../../../permissions/index.ts';
import { parseConfig } from '../../../server/config/config.ts';
import { findUnrunnable } from '../../../server/graphql/find-unrunnable-documents.ts';
import { withoutRunnable } from '../../../server/postgraphile/without-runnable.ts';
import {
  type Answer,
  type Ask,
  type Gateway,
  headersOf,
  startGateway,
} from '../graphql/support/gateway.ts';
import { shopMetadata, shopSchema } from './support/shop.ts';

const metadata = {
  ...shopMetadata,
  'graphile.yaml': 'limits: { max_rows: 100, default_rows: 2 }\n',
  'allow_list.yaml': `
collections:
  shop:
    operations:
      - { name: numbers, query: '{ allInvoices { nodes { number } } }' }
      - { name: nowhere, query: '{ allInvoices { nodes { margin } } }' }
allow: [{ collection: shop, roles: [clerk] }]
`,
};

let gateway: Gateway;
let superuser: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({ schema: shopSchema, metadata });
  superuser = await gateway.database.connectSuperuser();
});
afterAll(() => gateway.stop());

const clerk: Ask = { role: 'clerk', variables: { 'Tenant-Id': '1' } };
const numbers = '{ allInvoices { nodes { number } } }';
type Server = Pick<Gateway, 'send'>;

async function post(body: unknown, ask: Ask = clerk, server: Server = gateway): Promise<Answer> {
  const init = { headers: headersOf(ask), body: JSON.stringify(body) };
  return (await server.send(init, '/graphql')).json() as Promise<Answer>;
}
const messageOf = ({ errors }: Answer) =>
  `${errors?.[0]?.extensions.code}: ${errors?.[0]?.message}`;

describe("PostGraphile's endpoint /graphql", () => {
  test("answers in PostGraphile's dialect while /v1/graphql answers in Hasura's", async () => {
    const [a, b] = [{ number: 'A-1' }, { number: 'A-2' }];
    expect(await post({ query: numbers })).toEqual({ data: { allInvoices: { nodes: [a, b] } } });
    expect(await gateway.ask('{ invoice(limit: 1) { number } }', clerk)).toEqual({
      data: { invoice: [a] },
    });
  });

  test('refuses more rows in one page than graphile.yaml allows', async () => {
    const answer = await post({ query: '{ allInvoices(first: 3) { nodes { number } } }' });
    expect(answer.data.allInvoices.nodes).toHaveLength(3);
    expect(
      messageOf(await post({ query: '{ allInvoices(first: 101) { nodes { number } } }' })),
    ).toBe('row-limit-exceeded: "first" and "last" are 100 at most; request more with "after"');
  });

  test('refuses a request without the admin secret, or without a session variable that the role requires', async () => {
    const init = { headers: { 'content-type': 'application/json' }, body: '{"query":"{ id }"}' };
    expect(messageOf((await (await gateway.send(init, '/graphql')).json()) as Answer)).toMatch(
      /^access-denied: /,
    );
    expect(messageOf(await post({ query: numbers }, { role: 'clerk' }))).toBe(
      'not-found: missing session variable: "x-gql-tenant-id"',
    );
  });

  test('answers each operation of a batch in order, even if one fails', async () => {
    const answers = await post([{ query: numbers }, { query: '{ nothing }' }]);
    expect(answers).toMatchObject([{ data: {} }, { errors: [{}] }]);
  });

  test('runs a document that was registered as a persisted query by its hash, also over GET', async () => {
    const query = 'query Registered { allInvoices(first: 1) { nodes { number } } }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    expect(messageOf(await post({ extensions }))).toContain('PersistedQueryNotFound');
    await post({ query, extensions });
    expect((await post({ extensions })).data.allInvoices.nodes).toHaveLength(1);
    const link = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
    const response = await gateway.send({ method: 'GET', headers: headersOf(clerk) }, link);
    expect(((await response.json()) as Answer).data.allInvoices.nodes).toHaveLength(1);
  });

  test('refuses documents that are not in the allow-list, if it is enabled', async () => {
    const { operations } = parseConfig({}, '/').config;
    const server = await gateway.beside({ operations: { ...operations, allowList: true } });
    expect((await post({ query: numbers }, clerk, server)).data.allInvoices.nodes).toHaveLength(2);
    expect(messageOf(await post({ query: '{ id }' }, clerk, server))).toBe(
      'validation-failed: query is not allowed',
    );
    const listed = await post({ documentId: 'shop/numbers' }, clerk, server);
    expect(listed.data.allInvoices.nodes).toHaveLength(2);
  });

  test('counts requests together with those to /v1/graphql towards the rate limit of a role', async () => {
    const server = await gateway.beside({});
    const guest: Ask = { role: 'guest' };
    expect((await post({ query: numbers }, guest, server)).data).toBeDefined();
    expect((await server.ask('{ invoice { number } }', guest)).data).toBeDefined();
    expect((await post({ query: numbers }, guest, server)).data).toBeDefined();
    expect(messageOf(await post({ query: numbers }, guest, server))).toMatch(
      /^rate-limit-exceeded/,
    );
  });

  test('refuses introspection by a role without it, and suggests no field names to that role', async () => {
    const server = await gateway.beside({});
    const answer = await post(
      { query: '{ __schema { types { name } } }' },
      { role: 'guest' },
      server,
    );
    expect(messageOf(answer)).toMatch(/^validation-failed: GraphQL introspection/);
    const near = await post(
      { query: '{ allInvoice { nodes { id } } }' },
      { role: 'guest' },
      server,
    );
    expect(messageOf(near)).toBe(
      'validation-failed: Cannot query field "allInvoice" on type "Query".',
    );
  });

  test.each([
    ['subscriptions', 'subscription { invoices { id } }', {}, 'subscriptions are not served here'],
    ['@defer', '{ ... @defer { id } }', {}, '@defer and @stream are not served; leave them out'],
    [
      '@stream',
      '{ allInvoices { nodes @stream { id } } }',
      {},
      '@defer and @stream are not served; leave them out',
    ],
    [
      'the header that asks for an explained plan',
      '{ id }',
      { 'X-PostGraphile-Explain': 'on' },
      'plans are not explained here; leave the header out',
    ],
  ])('refuses %s', async (_what, query, headers, message) => {
    const init = { headers: { ...headersOf(clerk), ...headers }, body: JSON.stringify({ query }) };
    const answer = (await (await gateway.send(init, '/graphql')).json()) as Answer;
    expect(messageOf(answer)).toBe(`not-supported: ${message}`);
  });

  test('cancels the running SQL statement when the client disconnects', async () => {
    const sleeping = async () =>
      (
        await superuser.query(
          `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
        )
      ).rowCount;
    const cancel = new AbortController();
    const query = '{ slowInvoices(seconds: 500) { nodes { number } } }';
    const init = { headers: headersOf({}), body: JSON.stringify({ query }), signal: cancel.signal };
    const sent = gateway.send(init, '/graphql').catch(() => {});
    await expect.poll(sleeping).toBe(1);
    cancel.abort();
    await sent;
    await expect.poll(sleeping).toBe(0);
  });

  test('stops an operation that runs longer than the time limit', async () => {
    const limits = { ...parseConfig({}, '/').config.limits, statementTimeoutMs: 100 };
    const server = await gateway.beside({ limits });
    const query = '{ slowInvoices(seconds: 500) { nodes { number } } }';
    expect(messageOf(await post({ query }, {}, server))).toBe(
      'time-limit-exceeded: the operation took longer than 100 ms and was stopped',
    );
  });
});

describe('graphile.yaml', () => {
  test("is required, or else PostGraphile's endpoint answers 404", async () => {
    const other = await startGateway({ schema: shopSchema, metadata: shopMetadata });
    const response = await other.send({ headers: headersOf({}), body: '{}' }, '/graphql');
    expect(response.status).toBe(404);
    await other.stop();
  });

  test('changes the path of the endpoint after apply and reload, together with changed rules', async () => {
    const other = await startGateway({ schema: shopSchema, metadata });
    const query = '{ allInvoices { totalCount } }';
    expect(messageOf(await post({ query }, clerk, other))).toContain('Cannot query field');
    await other.write({
      'tables/invoice.yaml': `
table: invoice
permissions: { clerk: { select: { filter: {}, columns: [id], allow_aggregations: true } } }
`,
      'graphile.yaml': 'endpoint: /api/graphql\n',
    });
    await other.apply();
    await other.reload();
    const init = { headers: headersOf(clerk), body: JSON.stringify({ query }) };
    const answer = (await (await other.send(init, '/api/graphql')).json()) as Answer;
    expect(answer.data.allInvoices.totalCount).toBe(4);
    expect((await other.send(init, '/graphql')).status).toBe(404);
    await other.stop();
  });
});

test("a document of the allow-list is reported as unrunnable only if it fits neither Hasura's nor PostGraphile's schema", async () => {
  const client = await gateway.database.connectOwner();
  const model = await loadModel({ metadata: gateway.folder, client, headerPrefix: 'X-Gql-' });
  const { limits } = parseConfig({}, '/').config;
  const found = await findUnrunnable(model, gateway.gatewayUrl, limits);
  expect(found.map(({ document }) => document.name)).toEqual(['numbers', 'nowhere']);
  const graphile = model.graphile as GraphileModel;
  const served = { ...model, graphile };
  const left = await withoutRunnable(found, served, gateway.gatewayUrl, limits, []);
  expect(left.map(({ document }) => document.name)).toEqual(['nowhere']);
});
