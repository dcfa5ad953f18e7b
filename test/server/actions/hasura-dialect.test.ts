import { buildSchema, isObjectType, printType } from 'postgraphile/graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { runCommand } from '../../support/command-line.ts';
import type { Receiver } from '../events/support/receiver.ts';
import { type Answer, type Gateway, headersOf } from '../graphql/support/gateway.ts';
import { clerk, type ShopActions, startShopActions } from './support/shop-actions.ts';

const actions = `
actions:
  draftInvoice:
    type: mutation
    arguments: { number: String!, given: DraftInput }
    output_type: Draft!
    handler: '{{HANDLER}}/draft'
    forward_client_headers: [X-Trace]
    permissions: [clerk, directory]
  counts:
    type: query
    arguments: { since: timestamp, rate: float8, level: smallint }
    output_type: '[Count!]!'
    handler: /counts
    permissions: [clerk, loose]
  slow: { type: query, output_type: Int!, handler: /slow, timeout: 1, permissions: [clerk] }
  report: { type: mutation, kind: asynchronous, output_type: Int, handler: /report, permissions: [clerk] }
custom_types:
  input_objects:
    DraftInput: { fields: { total: numeric!, kind: DraftKind, at: timestamp, notes: json } }
  enums:
    DraftKind: { values: [large, small] }
  objects:
    Count: { fields: { total: numeric!, exact: bigint, at: timestamp, clock: timetz, rate: float8, level: smallint, notes: json } }
    Draft:
      fields: { invoice_id: Int!, tenant: Int, kind: DraftKind }
      relationships:
        invoice: { table: invoice, field_mapping: { invoice_id: id } }
        sameTenant: { table: invoice, field_mapping: { tenant: tenant_id }, kind: array }
        margins: { table: invoice, field_mapping: { tenant: margin }, kind: array }
`;

const allowList = `
collections:
  all:
    operations:
      - { name: drafts, query: 'mutation { draftInvoice(number: "1") { invoice { number } } }' }
      - { name: misled, query: 'mutation { draftInvoice(number: "1") { margins { number } } }' }
allow:
  - { collection: all, roles: [clerk] }
`;

// The metadata has no graphile.yaml, so only /v1/graphql is served, not PostGraphile's /graphql.
const metadata = { 'actions.yaml': actions, 'allow_list.yaml': allowList };

let world: ShopActions;
let gateway: Gateway;
let handler: Receiver;
let post: ShopActions['post'];
let answer: ShopActions['answer'];
beforeAll(async () => {
  world = await startShopActions('/v1/graphql', metadata);
  ({ gateway, handler, post, answer } = world);
});
afterAll(() => world.stop());
const messageOf = ({ errors }: Answer) => errors?.[0]?.message;

describe('an action in /v1/graphql', () => {
  test('sends session variables and headers of the caller to the handler, and returns related rows that the caller may see', async () => {
    answer({ invoice_id: 1, tenant: 1 });
    const query = `mutation {
      draftInvoice(number: "N") {
        invoice { number customer_id }
        sameTenant(where: { total: { _gt: 10 } }, order_by: { id: desc }) { number }
      }
    }`;
    expect(await post(query, clerk, { 'x-trace': 'abc' })).toEqual({
      data: {
        draftInvoice: {
          invoice: { number: 'A-1', customer_id: 1 },
          sameTenant: [{ number: 'A-3' }, { number: 'A-2' }],
        },
      },
    });
    const { event, headers } = handler.received.at(-1) ?? {};
    expect(event).toMatchObject({
      action: { name: 'draftInvoice' },
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
    const query = 'mutation { draftInvoice(number: "N") { margins { number } } }';
    expect(messageOf(await post(query))).toContain("field 'margins' not found in type: 'Draft'");
    const other = query.replace('margins', 'invoice');
    const directory = { role: 'directory' };
    expect(messageOf(await post(other, directory))).toContain(
      "field 'invoice' not found in type: 'Draft'",
    );
  });

  test('is absent from the schema of a role that may not call it', async () => {
    const analyst = { ...clerk, role: 'analyst' };
    expect(messageOf(await post('{ slow }', analyst))).toContain("field 'slow' not found");
    const { data } = await post('{ __type(name: "Draft") { name } }', analyst);
    expect(data).toEqual({ __type: null });
  });

  test('accepts values of all scalar types as input, and returns those of the handler', async () => {
    const count = { total: 12.5, exact: 7, at: '2026-01-01T00:00:00', rate: 0.5, level: 3 };
    answer([{ ...count, clock: '10:00:00+00', notes: { by: ['handler'] } }]);
    const query = `query ($since: timestamp, $rate: float8, $level: smallint) {
      counts(since: $since, rate: $rate, level: $level) { total exact at clock rate level notes }
      more: counts(level: 2) { level }
    }`;
    const given = { since: '2025-12-31T00:00:00', rate: 1.5, level: 4 };
    expect(await gateway.ask(query, { ...clerk, with: given })).toEqual({
      data: {
        counts: [{ ...count, clock: '10:00:00+00', notes: { by: ['handler'] } }],
        more: [{ level: 3 }],
      },
    });
    const inputs = handler.received
      .slice(-2)
      .map(({ event }) => (event as { input: object }).input);
    expect(inputs).toEqual(expect.arrayContaining([given, { level: 2 }]));
    const draft = `mutation ($given: DraftInput) {
      draftInvoice(number: "N", given: $given) { kind __typename }
    }`;
    answer({ invoice_id: 1, kind: 'small' });
    const input = { total: 7.25, kind: 'large', at: '2025-12-31T00:00:00', notes: { a: [1] } };
    expect(await gateway.ask(draft, { ...clerk, with: { given: input } })).toEqual({
      data: { draftInvoice: { kind: 'small', __typename: 'Draft' } },
    });
    expect(handler.received.at(-1)?.event).toMatchObject({ input: { number: 'N', given: input } });
  });

  test('can be called without the session variables that the rules of tables require, if it reads no table', async () => {
    answer([]);
    expect(await post('{ counts { level } }', { role: 'loose' })).toEqual({ data: { counts: [] } });
  });

  test("rolls back other fields of the operation when the handler refuses, and returns the handler's message", async () => {
    answer({ message: 'no such number', extensions: { code: 'number', hint: [1] } }, 400);
    const insert = 'insert_invoice_one(object: { customer_id: 1, number: "gone" }) { number }';
    const draft = 'draftInvoice(number: "N") { invoice { number } }';
    for (const fields of [`${insert} ${draft}`, `${draft} ${insert}`]) {
      expect(await post(`mutation { ${fields} }`)).toEqual({
        errors: [{ message: 'no such number', extensions: { code: 'number', hint: [1] } }],
      });
      const { data } = await post('{ invoice(where: { number: { _eq: "gone" } }) { number } }');
      expect(data).toEqual({ invoice: [] });
    }
  });

  test('returns related rows that an earlier field of the same mutation has written', async () => {
    const { data: before } = await post(
      'mutation { insert_invoice_one(object: { customer_id: 1, number: "made" }) { id } }',
    );
    answer({ invoice_id: before.insert_invoice_one.id });
    const { data } = await post(`mutation {
      update_invoice(where: { number: { _eq: "made" } }, _set: { note: "new" }) { affected_rows }
      draftInvoice(number: "N") { invoice { note } }
      delete_invoice(where: { number: { _eq: "made" } }) { affected_rows }
    }`);
    expect(data.draftInvoice).toEqual({ invoice: { note: 'new' } });
  });

  test('returns a general error when the handler does not answer within the time limit of the action', async () => {
    handler.react = () => {};
    const { limits } = parseConfig({}, '/').config;
    const server = await gateway.beside({ limits: { ...limits, statementTimeoutMs: 100 } });
    const { errors } = await server.ask('{ slow }', clerk);
    expect(errors).toMatchObject([
      { message: 'the handler of the action "slow" failed', extensions: { code: 'unexpected' } },
    ]);
  });

  test('leaves other fields of the operation their whole time limit, however long the handler takes', async () => {
    handler.react = (response) => {
      setTimeout(() => response.end('{"invoice_id": 1}'), 1200);
    };
    const { limits } = parseConfig({}, '/').config;
    const server = await gateway.beside({ limits: { ...limits, statementTimeoutMs: 1000 } });
    const draft = 'draftInvoice(number: "N") { invoice { number } }';
    const remove = 'delete_invoice(where: { number: { _eq: "none" } }) { affected_rows }';
    for (const fields of [`${draft} ${remove}`, `${remove} ${draft}`]) {
      expect((await server.ask(`mutation { ${fields} }`, clerk)).data).toEqual({
        draftInvoice: { invoice: { number: 'A-1' } },
        delete_invoice: { affected_rows: 0 },
      });
    }
  });

  test('is refused if it is asynchronous and no worker runs', async () => {
    expect(messageOf(await post('mutation { report }'))).toBe(
      'asynchronous actions are not available here',
    );
  });
});

test('the server answers 404 at /graphql if there is no graphile.yaml', async () => {
  const init = { headers: headersOf(clerk), body: '{}' };
  expect((await gateway.send(init, '/graphql')).status).toBe(404);
});

describe("the program's command", () => {
  const run = (...args: readonly string[]) =>
    runCommand([...args, '--metadata', gateway.folder], {
      DATABASE_URL: gateway.database.ownerUrl,
      ROWGATE_DATA_DIR: gateway.folder,
    });

  async function sdlOf(role: string) {
    const { stdout, stderr } = await run('export', 'sdl', '--role', role);
    expect(stderr).toBe('');
    return buildSchema(stdout);
  }

  test('export sdl prints an action, with the type names of actions.yaml, only for roles that may call it', async () => {
    const clerkSchema = await sdlOf('clerk');
    const typeOf = (name: string) => {
      const type = clerkSchema.getType(name);
      return type ? printType(type) : '';
    };
    expect(
      typeOf('Count')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual([
      'type Count {',
      'at: timestamp',
      'clock: timetz',
      'exact: bigint',
      'level: smallint',
      'notes: json',
      'rate: float8',
      'total: numeric!',
      '}',
    ]);
    expect(typeOf('query_root')).toContain(
      'counts(level: smallint, rate: float8, since: timestamp): [Count!]!',
    );
    expect(typeOf('query_root')).toMatch(/report\([^)]*id: uuid!\s*\): report/);
    expect(typeOf('mutation_root')).toMatch(/report: uuid!/);
    expect(typeOf('report')).toMatch(/errors: json\n/);
    expect(typeOf('DraftInput')).toMatch(/total: numeric!/);
    const draft = clerkSchema.getType('Draft');
    expect(isObjectType(draft) && Object.keys(draft.getFields())).toEqual([
      'invoice',
      'invoice_id',
      'kind',
      'sameTenant',
      'tenant',
    ]);
    expect((await sdlOf('analyst')).getType('Draft')).toBeUndefined();
  });

  test('check accepts allow-listed operations that call actions', async () => {
    const { stdout, stderr } = await run('check');
    expect(`${stdout}${stderr}`).not.toContain('"drafts"');
    expect(`${stdout}${stderr}`).toMatch(/RG_ALLOW_LIST .*"misled".*field 'margins' not found/);
  });
});
