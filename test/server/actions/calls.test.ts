import pino from 'pino';
import { printSchema } from 'postgraphile/graphql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Action, loadModel } from '../../../permissions/index.ts';
import { makeActionRunner } from '../../../server/actions/action-runner.ts';
import { actionRelationships } from '../../../server/actions/actions-plugin.ts';
import { callHandler } from '../../../server/actions/call-handler.ts';
import { readPage } from '../../support/documentation.ts';
import { platformSecret } from '../events/support/event-world.ts';
import type { Reaction } from '../events/support/receiver.ts';
import {
  type ActionsWorld,
  everybody,
  makeActionsWorld,
  writeMetadata,
} from './support/actions-world.ts';

const actions = `
actions:
  refund:
    type: mutation
    description: Pays back, "really"
    arguments: { given: RefundInput!, note: { type: String, description: for the customer } }
    output_type: Refund!
    handler: '{{HANDLER}}/refund'
    headers: { X-Key: '{{KEY}}' }
    forward_client_headers: [Authorization, x-trace]
    timeout: 1
    permissions: [user]
  quotes: { type: query, output_type: '[Quote!]', handler: /quotes, permissions: [user, reader] }
  count: { type: query, output_type: Int!, handler: /count, permissions: [user] }
  anything: { type: query, output_type: Anything, handler: /anything, permissions: [user] }
  homeless: { type: query, output_type: Int, handler: '{{NOT_SET}}/x', permissions: [user] }
  find: { type: query, output_type: '[Found!]!', handler: /find, permissions: [user] }
  hidden: { type: query, output_type: Secret, handler: /hidden }
custom_types:
  objects:
    Refund:
      description: What was paid back
      fields: { invoice_id: uuid!, amount: numeric!, number: bigint, at: timestamptz, reason: Reason, lines: '[RefundLine!]!' }
      relationships: { invoice: { table: invoice, field_mapping: { invoice_id: id } } }
    RefundLine: { fields: { label: String!, share: Float } }
    Quote: { fields: { id: ID!, raw: jsonb } }
    Found:
      fields: { id: String, kind: String }
      relationships:
        one: { table: invoice, field_mapping: { id: id } }
        some: { table: invoice, field_mapping: { kind: kind }, kind: array, description: a few }
        both: { table: invoice, field_mapping: { id: id, kind: kind } }
    Secret: { fields: { a: Int } }
  input_objects:
    RefundInput: { fields: { invoice_id: uuid!, amount: numeric!, lines: '[RefundLineInput!]', reason: Reason } }
    RefundLineInput: { fields: { label: String!, more: Anything } }
  enums:
    Reason: { values: { late: came too late, broken: null } }
  scalars:
    Anything: { description: any JSON }
`;

let world: ActionsWorld;
beforeAll(async () => {
  world = await makeActionsWorld({ actions, environment: { KEY: 'a-very-secret-key' } });
});
afterAll(() => world.close());
beforeEach(() => world.forgetLog());

const id = '00000000-0000-4000-8000-000000000001';
const paid = { invoice_id: id, amount: 12.5, lines: [], extra: 'dropped' };

function answer(body: unknown, status = 200): Reaction {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return (response) => response.writeHead(status).end(text);
}

const refund = `mutation Pay($given: RefundInput!) {
  refund(given: $given, note: "sorry") { invoice_id amount number at reason lines { label share } }
}`;
const variables = { given: { invoice_id: id, amount: '12345678901234567890.50' } };
const pay = () => world.run(refund, { variables });

test('an action posts its input and the session variables to the handler, and returns the answer in the declared type', async () => {
  world.handler.react = answer(
    `{"invoice_id":"${id}","amount":12345678901234567890.50,"number":9007199254740993,
      "at":"2026-03-10T12:00:00Z","reason":"late","lines":[{"label":"a","share":0.5,"more":1}]}`,
  );
  const { data, errors } = await world.run(refund, {
    variables: {
      given: {
        ...{ invoice_id: id, amount: '12345678901234567890.50', reason: 'late' },
        lines: [{ label: 'a', more: { b: [1, null] } }],
      },
    },
  });
  expect(errors).toBeUndefined();
  expect(data.refund).toEqual({
    invoice_id: id,
    amount: '12345678901234567890.50',
    number: '9007199254740993',
    at: '2026-03-10T12:00:00Z',
    reason: 'late',
    lines: [{ label: 'a', share: 0.5 }],
  });
  const { body, path, event } = world.handler.received.at(-1) ?? {};
  expect(path).toBe('/refund');
  expect(event).toMatchObject({
    action: { name: 'refund' },
    input: {
      given: { invoice_id: id, reason: 'late', lines: [{ label: 'a', more: { b: [1, null] } }] },
      note: 'sorry',
    },
    session_variables: { 'x-gql-role': 'user', 'x-gql-user-id': '7' },
    request_query: 'the document',
  });
  expect(body).toContain('"amount":12345678901234567890.50');
});

test('a handler receives the headers configured for the action and the headers listed for forwarding, and no others', async () => {
  world.handler.react = answer(paid);
  const headers = {
    ...{ authorization: 'Bearer one', 'x-trace': 'abc', cookie: 'session=1' },
    ...{ 'x-gql-admin-secret': 'secret', 'x-key': 'forged', 'x-platform-api-token': 'forged' },
  };
  await world.run(refund, { variables, caller: { headers } });
  const { headers: got } = world.handler.received.at(-1) ?? {};
  expect(got).toMatchObject({
    ...{ authorization: 'Bearer one', 'x-trace': 'abc', 'x-key': 'a-very-secret-key' },
    ...{ 'content-type': 'application/json', 'user-agent': 'rowgate' },
  });
  expect(got).not.toHaveProperty('cookie');
  expect(got).not.toHaveProperty('x-gql-admin-secret');
  expect(got).not.toHaveProperty('x-platform-api-token');
});

test('a handler at a path of this server receives the platform API token', async () => {
  world.handler.react = answer(4);
  expect(await world.run('{ count }')).toEqual({ data: { count: 4 } });
  const { headers, path } = world.handler.received.at(-1) ?? {};
  expect({ path, token: headers?.['x-platform-api-token'] }).toEqual({
    path: '/count',
    token: platformSecret,
  });
});

test('adding actions removes no field of PostGraphile from the schema', async () => {
  world.handler.react = answer([{ id: 5, raw: { n: 1 } }]);
  const ran = await world.run('{ quotes { id raw } allInvoices(first: 1) { nodes { total } } }');
  expect(ran).toEqual({
    data: {
      quotes: [{ id: '5', raw: { n: 1 } }],
      allInvoices: { nodes: [{ total: '12.50' }] },
    },
  });
});

test('several actions in one mutation operation are called one after the other', async () => {
  const order: string[] = [];
  world.handler.react = (response, { event }) => {
    order.push(`begin ${event.input.note}`);
    setImmediate(() => {
      order.push(`end ${event.input.note}`);
      response.end(JSON.stringify(paid));
    });
  };
  const given = `given: { invoice_id: "${id}", amount: "1" }`;
  await world.run(
    `mutation { a: refund(${given}, note: "a") { amount } b: refund(${given}, note: "b") { amount } }`,
  );
  expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b']);
});

test("a field of a custom scalar type returns any JSON value of the handler's answer", async () => {
  world.handler.react = answer({ deep: [1, { a: null }] });
  expect(await world.run('{ anything }')).toEqual({
    data: { anything: { deep: [1, { a: null }] } },
  });
});

test.each([
  [
    'its message and extensions',
    { message: 'the invoice is closed', extensions: { code: 'closed', hint: 3 } },
    { message: 'the invoice is closed', extensions: { code: 'closed', hint: 3 } },
  ],
  [
    'its message and code',
    { message: 'no', code: 'nope' },
    { message: 'no', extensions: { code: 'nope', path: '$' } },
  ],
  [
    'its message',
    { message: 'no' },
    { message: 'no', extensions: { code: 'unexpected', path: '$' } },
  ],
])(
  'the error of a handler that answers 400 reaches the client with %s',
  async (_what, body, error) => {
    world.handler.react = answer(body, 400);
    const { errors, data } = await pay();
    expect(data).toBeNull();
    expect(errors).toEqual([expect.objectContaining({ ...error, path: ['refund'] })]);
    expect(world.logged()).toEqual([]);
  },
);

test('a secret in the error message of a handler is masked for the client', async () => {
  world.handler.react = answer({ message: 'wrong key a-very-secret-key' }, 403);
  expect((await pay()).errors?.[0]?.message).toBe('wrong key ***');
});

test('a secret in the error extensions or error code of a handler is masked for the client', async () => {
  const repeated = 'key a-very-secret-key';
  world.handler.react = answer(
    { message: 'no', extensions: { sent: [{ [repeated]: repeated }] } },
    403,
  );
  const sent = [{ 'key ***': 'key ***' }];
  expect((await pay()).errors?.[0]?.extensions).toEqual({ sent });
  world.handler.react = answer({ message: 'no', code: repeated }, 403);
  expect((await pay()).errors?.[0]?.extensions).toMatchObject({ code: 'key ***' });
});

const general = {
  message: 'the handler of the action "refund" failed',
  extensions: { code: 'unexpected', path: '$' },
};

test.each<[string, Reaction, string]>([
  [
    'answers 500',
    answer({ message: 'stack trace' }, 500),
    'it answered 500: {"message":"stack trace"}',
  ],
  ['refuses without a message', answer('no', 400), 'it answered 400 without a message: no'],
  ['answers without JSON', answer('<html>'), 'its answer is no JSON: <html>'],
  [
    'redirects',
    (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    'it answered 302: ',
  ],
  ['does not answer in time', () => {}, 'no whole answer within 1 s'],
  [
    'answers with too many bytes',
    (response) => response.end(Buffer.alloc(5 * 1024 * 1024, ' ')),
    'it is larger than 4194304 bytes',
  ],
])(
  'a handler that %s causes a general error for the client, and only the log contains the reason',
  async (_what, reaction, reason) => {
    world.handler.react = reaction;
    const before = world.handler.received.length;
    const { errors } = await pay();
    expect(errors).toEqual([expect.objectContaining(general)]);
    expect(world.logged()).toEqual([
      expect.objectContaining({
        action: 'refund',
        reason: expect.stringContaining(reason),
        msg: 'the handler of an action failed',
      }),
    ]);
    expect(world.handler.received.length).toBe(before + 1);
  },
);

test('an action whose URL needs an unset environment variable returns a general error, and the log names the variable', async () => {
  const { data, errors } = await world.run('{ homeless }');
  expect({ data, message: errors?.[0]?.message }).toEqual({
    data: { homeless: null },
    message: 'the handler of the action "homeless" failed',
  });
  expect(world.logged()).toMatchObject([{ reason: 'the environment variable NOT_SET is not set' }]);
});

test.each([
  [[], '$ must be an object', '$'],
  [null, '$ must be there and not null', '$'],
  [{ ...paid, amount: undefined }, '$.amount must be there and not null', '$.amount'],
  [{ ...paid, amount: 'much' }, '$.amount must be of the type numeric', '$.amount'],
  [{ ...paid, invoice_id: 'x' }, '$.invoice_id must be of the type uuid', '$.invoice_id'],
  [{ ...paid, number: 1.5 }, '$.number must be of the type bigint', '$.number'],
  [{ ...paid, number: '9223372036854775808' }, '$.number must be of the type bigint', '$.number'],
  [{ ...paid, at: '2026-03-10' }, '$.at must be of the type timestamptz', '$.at'],
  [{ ...paid, reason: 'other' }, '$.reason must be a value of the enum Reason', '$.reason'],
  [{ ...paid, lines: {} }, '$.lines must be a list', '$.lines'],
  [{ ...paid, lines: [null] }, '$.lines[0] must be there and not null', '$.lines[0]'],
  [
    { ...paid, lines: [{ label: 'a' }, { label: 1 }] },
    '$.lines[1].label must be of the type String',
    '$.lines[1].label',
  ],
])(
  'the answer %j of a handler does not fit the type of the action, and the error names the path of the mistake',
  async (body, problem, path) => {
    world.handler.react = answer(body);
    const message = `the handler of the action "refund" answered what it must not: ${problem}`;
    expect((await pay()).errors).toEqual([
      expect.objectContaining({ message, extensions: { code: 'unexpected', path } }),
    ]);
    expect(world.logged()).toMatchObject([{ action: 'refund', reason: problem }]);
  },
);

test('the schema of a role contains only actions that the role may call, and their types', async () => {
  const reader = printSchema(await world.schemaOf('reader'));
  expect(reader).toContain('quotes: [Quote!]');
  expect(reader).not.toMatch(/\brefund|Refund|Reason|Secret|hidden|\bcount\b: Int!/);
  const user = printSchema(await world.schemaOf('user'));
  expect(user).toContain('Pays back, "really"');
  expect(user).not.toMatch(/Secret|hidden/);
});

test('the action runner refuses a call in a role without permission, and does not call the handler', async () => {
  const hidden = world.model.actions.get('hidden') as Action;
  const before = world.handler.received.length;
  await expect(world.runner.call(hidden, { caller: everybody, given: {} })).rejects.toMatchObject({
    message: 'the role "user" may not call the action "hidden"',
    extensions: { code: 'access-denied' },
  });
  expect(world.handler.received.length).toBe(before);
});

test('actionRelationships lists the relationships of the types that actions return', () => {
  const refund = world.model.actions.get('refund') as Action;
  expect(actionRelationships([refund], world.model.customTypes)).toEqual([
    {
      typeName: 'Refund',
      name: 'invoice',
      kind: 'object',
      table: 'public.invoice',
      mapping: [{ field: 'invoice_id', column: 'id' }],
      description: undefined,
    },
  ]);
});

test('a call is not repeated when the handler breaks the connection', async () => {
  world.handler.react = answer(paid);
  await pay();
  const before = world.handler.received.length;
  world.handler.react = (response) => response.destroy();
  const { errors } = await pay();
  expect(errors).toEqual([expect.objectContaining(general)]);
  expect(world.handler.received.length).toBe(before + 1);
});

test('the example in docs/operators/actions.md is accepted as metadata', async () => {
  const { text } = readPage('docs/operators/actions.md');
  const [, example = ''] = /```yaml\n# metadata\/actions\.yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const metadata = await writeMetadata(example.replaceAll('accounting', 'user'));
  const model = await loadModel({ metadata, client: world.world.owner, headerPrefix: 'X-Gql-' });
  expect([...model.actions.keys()]).toEqual(['refund', 'make_report']);
});

test('a forwarded client header does not replace a header configured for the action, or the platform API token', async () => {
  world.handler.react = answer(4);
  const action = world.model.actions.get('count') as Action;
  const keyed = { ...action, headers: [{ name: 'X-Key', value: 'own' }] };
  const headers = { 'x-key': 'forged', 'x-platform-api-token': 'forged' };
  const { webhooks, model } = world;
  await callHandler({ action: keyed, body: {}, headers }, { webhooks, types: model.customTypes });
  expect(world.handler.received.at(-1)?.headers).toMatchObject({
    'x-key': 'own',
    'x-platform-api-token': platformSecret,
  });
});

test('an inheriting role may call the actions that its parent roles may call', () => {
  expect(world.model.actions.get('refund')?.roles).toEqual(new Set(['admin', 'user', 'clerk']));
});

test('while a handler does not answer, other actions are answered, and too many further calls of its action are refused', async () => {
  const { webhooks, model } = world;
  const runner = makeActionRunner({
    ...{ types: model.customTypes, webhooks, pool: undefined, headerPrefix: 'X-Gql-', maxCalls: 4 },
    logger: pino({ level: 'silent' }),
  });
  world.handler.react = (response, { path: called }) =>
    called === '/count' ? response.end('1') : undefined;
  const call = (name: string) =>
    runner.call(model.actions.get(name) as Action, {
      caller: everybody,
      given: { given: { invoice_id: id, amount: '1' } },
    });
  const hanging = Promise.allSettled([call('refund'), call('refund')]);
  await expect(call('refund')).rejects.toMatchObject({ extensions: { code: 'unavailable' } });
  expect(await call('count')).toBe(1);
  await hanging;
});

test('a relationship in the type of an action returns related rows of a table', async () => {
  world.handler.react = answer([
    { id: `${id.slice(0, -1)}2`, kind: 'b' },
    { id: `${id.slice(0, -1)}1`, kind: 'b' },
    { id, kind: null },
    {},
  ]);
  const { data, errors } = await world.run(
    '{ find { one { total kind } some(first: 2) { kind } both { total } } }',
  );
  const [b, none] = [[{ kind: 'b' }, { kind: 'b' }], { one: null, some: [], both: null }];
  expect({ errors, found: data.find }).toEqual({
    errors: undefined,
    found: [
      { one: { total: '2', kind: 'b' }, some: b, both: { total: '2' } },
      { one: { total: '12.50', kind: 'a' }, some: b, both: null },
      { ...none, one: { total: '12.50', kind: 'a' } },
      none,
    ],
  });
});

test("the schema shows a relationship of an action's type with its description and PostGraphile's name of the table", async () => {
  const schema = printSchema(await world.schemaOf('user'));
  expect(schema).toContain('  one: Invoice\n');
  expect(schema).toMatch(/ {2}"""a few"""\n {2}some\([\s\S]*?\n {2}\): \[Invoice!\]!\n/);
});
