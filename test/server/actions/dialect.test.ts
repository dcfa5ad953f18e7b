import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import type { Receiver } from '../events/support/receiver.ts';
import type { Gateway } from '../graphql/support/gateway.ts';
import { clerk, postTo, type ShopActions, startShopActions } from './support/shop-actions.ts';

const actions = `
actions:
  draftInvoice:
    type: mutation
    arguments: { number: String! }
    output_type: Draft!
    handler: '{{HANDLER}}/draft'
    forward_client_headers: [X-Trace]
    permissions: [clerk, directory]
  slow: { type: query, output_type: Int!, handler: /slow, timeout: 1, permissions: [clerk] }
  report: { type: mutation, kind: asynchronous, output_type: Int, handler: /report, permissions: [clerk] }
custom_types:
  objects:
    Draft:
      fields: { invoice_id: Int!, tenant: Int }
      relationships:
        invoice: { table: invoice, field_mapping: { invoice_id: id } }
        sameTenant: { table: invoice, field_mapping: { tenant: tenant_id }, kind: array }
        margins: { table: invoice, field_mapping: { tenant: margin }, kind: array }
`;

const metadata = {
  'graphile.yaml': 'limits: { max_rows: 100, default_rows: 2 }\n',
  'actions.yaml': actions,
};

let world: ShopActions;
let gateway: Gateway;
let handler: Receiver;
let post: ShopActions['post'];
let answer: ShopActions['answer'];
beforeAll(async () => {
  world = await startShopActions('/graphql', metadata);
  ({ gateway, handler, post, answer } = world);
});
afterAll(() => world.stop());

describe('an action in /graphql', () => {
  test('sends session variables and headers of the caller to the handler, and returns related rows that the caller may see', async () => {
    answer({ invoice_id: 1, tenant: 1 });
    const query =
      'mutation { draftInvoice(number: "N") { invoice { number } sameTenant { number } } }';
    expect(await post(query, clerk, { 'x-trace': 'abc' })).toEqual({
      data: {
        draftInvoice: {
          invoice: { number: 'A-1' },
          // Without "first", a list returns the default number of rows from graphile.yaml.
          sameTenant: [{ number: 'A-1' }, { number: 'A-2' }],
        },
      },
    });
    const { event, headers } = handler.received.at(-1) ?? {};
    expect(event).toMatchObject({
      input: { number: 'N' },
      session_variables: { 'x-gql-role': 'clerk', 'x-gql-tenant-id': '1' },
      request_query: query,
    });
    expect(headers).toMatchObject({ 'x-trace': 'abc' });
    expect(headers).not.toHaveProperty('x-gql-admin-secret');
  });

  test('returns no related row of another tenant, even if the handler answers with the key of such a row', async () => {
    answer({ invoice_id: 4, tenant: 2 });
    const query =
      'mutation { draftInvoice(number: "N") { invoice { number } sameTenant { number } } }';
    expect(await post(query)).toEqual({
      data: { draftInvoice: { invoice: null, sameTenant: [] } },
    });
  });

  test('has no relationship that joins by columns hidden from the role', async () => {
    const { errors } = await post('mutation { draftInvoice(number: "N") { margins { number } } }');
    expect(errors?.[0]?.message).toMatch(/^Cannot query field "margins" on type "Draft"/);
    const other = await post('mutation { draftInvoice(number: "N") { invoice { number } } }', {
      role: 'directory',
    });
    expect(other.errors?.[0]?.message).toMatch(/^Cannot query field "invoice" on type "Draft"/);
  });

  test('is refused if the related rows could exceed the row limit', async () => {
    const query = 'mutation { draftInvoice(number: "N") { sameTenant(first: 101) { number } } }';
    expect((await post(query)).errors?.[0]?.extensions.code).toBe('row-limit-exceeded');
  });

  test('is absent from the schema of a role that may not call it', async () => {
    const { errors } = await post('{ slow }', { role: 'analyst', variables: { 'Tenant-Id': '1' } });
    expect(errors?.[0]?.message).toBe('Cannot query field "slow" on type "Query".');
  });

  test("rolls back other fields of the operation when the handler refuses, and returns the handler's message", async () => {
    answer({ message: 'no such number', extensions: { code: 'number', hint: [1] } }, 400);
    const query = `mutation {
      createInvoice(input: { invoice: { customerId: 1, number: "gone" } }) { invoice { number } }
      draftInvoice(number: "N") { invoice { number } }
    }`;
    const { data, errors } = await post(query);
    expect(data).toBeUndefined();
    expect(errors).toEqual([
      { message: 'no such number', extensions: { code: 'number', hint: [1] } },
    ]);
    const { data: after } = await gateway.ask(
      '{ invoice(where: {number: {_eq: "gone"}}) { number } }',
      clerk,
    );
    expect(after).toEqual({ invoice: [] });
  });

  test('returns a general error when the handler does not answer', async () => {
    handler.react = () => {};
    expect((await post('{ slow }')).errors).toMatchObject([
      { message: 'the handler of the action "slow" failed', extensions: { code: 'unexpected' } },
    ]);
  });

  test('may take longer than the time limit of SQL statements, because it has its own limit', async () => {
    handler.react = () => {};
    const { limits } = parseConfig({}, '/').config;
    const server = await gateway.beside({ limits: { ...limits, statementTimeoutMs: 100 } });
    const { errors } = await postTo(server, '/graphql', { query: '{ slow }' });
    expect(errors?.[0]?.message).toBe('the handler of the action "slow" failed');
  });

  test("is refused as a query, but not as a mutation, if the handler's answer exceeds the size limit", async () => {
    const long = (value: unknown) => JSON.stringify(value) + ' '.repeat(5000);
    const { limits } = parseConfig({}, '/').config;
    const server = await gateway.beside({ limits: { ...limits, responseBytes: 1024 } });
    const run = (query: string) => postTo(server, '/graphql', { query });
    handler.react = (response) => response.end(long(7));
    const { errors } = await run('{ slow }');
    expect(errors?.[0]?.message).toBe('the handler of the action "slow" failed');
    expect(gateway.log.some((line) => line.includes('there is no memory for it'))).toBe(true);
    handler.react = (response) => response.end(long({ invoice_id: 1 }));
    expect((await run('mutation { draftInvoice(number: "N") { invoice_id } }')).data).toEqual({
      draftInvoice: { invoice_id: 1 },
    });
  });

  test('is refused if it is asynchronous and no worker runs', async () => {
    expect((await post('mutation { report }')).errors).toMatchObject([
      { message: 'asynchronous actions are not available here' },
    ]);
  });
});

test('loading the metadata refuses a custom type of actions.yaml named like a PostGraphile type, and reports the position', async () => {
  await gateway.write({
    'actions.yaml': `${actions}    Line: { fields: { a: Int } }\n`.replace(
      'tenant: Int',
      'tenant: Int, line: Line',
    ),
  });
  await expect(gateway.reload()).rejects.toThrow(
    /actions\.yaml:\d+:5 RG_NAME_CONFLICT "Line" is a name that PostGraphile has given already/,
  );
  await gateway.write({ 'actions.yaml': actions });
});
