import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteRequests, takeRequests } from '../../../server/actions/request-store.ts';
import { until } from '../../support/until.ts';
import type { Reaction } from '../events/support/receiver.ts';
import { type ActionsWorld, makeActionsWorld } from './support/actions-world.ts';

const actions = `
actions:
  makeReport:
    type: mutation
    kind: asynchronous
    arguments: { year: Int!, total: numeric }
    output_type: Report!
    handler: '{{HANDLER}}/report'
    forward_client_headers: [authorization]
    timeout: 1
    retry: { limit: 2, interval: 1, max_interval: 1 }
    permissions: [user]
  quick: { type: mutation, kind: asynchronous, output_type: Int, handler: /quick, permissions: [user] }
custom_types:
  objects:
    Report: { fields: { title: String!, total: numeric } }
`;

const ask = 'mutation { makeReport(year: 2026, total: "12345678901234567890.10") }';
const look =
  'query ($id: UUID!) { makeReport(id: $id) { id created_at status errors output { title total } } }';

let world: ActionsWorld;
beforeAll(async () => {
  world = await makeActionsWorld({ actions });
  world.work();
});
afterAll(() => world.close());
beforeEach(() => world.world.owner.query('truncate rowgate_events.action_request'));

function answer(body: unknown, status = 200): Reaction {
  return (response) => response.writeHead(status).end(JSON.stringify(body));
}

async function start(caller = {}): Promise<string> {
  const { data } = await world.run(ask, { caller });
  return data.makeReport;
}

async function outcome(id: string, caller = {}) {
  const { data, errors } = await world.run(look, { variables: { id }, caller });
  return errors ? { errors } : data.makeReport;
}

/** Waits until the call has an outcome. */
function ended(id: string) {
  return until(async () => {
    const found = await outcome(id);
    return ['completed', 'error'].includes(found.status) ? found : undefined;
  });
}

test('the handler of an asynchronous action receives the call with its id, and the caller can query the output', async () => {
  world.handler.react = answer({ title: 'a', total: 1.5, more: 1 });
  const headers = { authorization: 'Bearer two', cookie: 'a=b' };
  const id = await start({ headers });
  expect(await ended(id)).toEqual({
    id,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    status: 'completed',
    errors: null,
    output: { title: 'a', total: '1.5' },
  });
  const { event, body, headers: got, path } = world.handler.received.at(-1) ?? {};
  expect(path).toBe('/report');
  expect(event).toMatchObject({
    id,
    action: { name: 'makeReport' },
    input: { year: 2026 },
    session_variables: { 'x-gql-role': 'user', 'x-gql-user-id': '7' },
  });
  expect(body).toContain('"total":12345678901234567890.10');
  expect(got?.authorization).toBe('Bearer two');
  expect(got).not.toHaveProperty('cookie');
  const stored = await world.world.owner.query(
    'select client_headers from rowgate_events.action_request',
  );
  expect(stored.rows).toEqual([{ client_headers: {} }]);
});

test('a call of an asynchronous action has the status processing until the handler has answered', async () => {
  let finish = () => {};
  world.handler.react = (response) => {
    finish = () => response.end(JSON.stringify({ title: 'late' }));
  };
  const count = world.handler.received.length;
  const id = await start();
  await world.handler.count(count + 1);
  const { status, output, errors } = await outcome(id);
  expect({ status, output, errors }).toEqual({ status: 'processing', output: null, errors: null });
  finish();
  expect(await ended(id)).toMatchObject({ status: 'completed', output: { title: 'late' } });
});

test.each([
  ['with another role than the caller who started the action', { role: 'reader' }],
  ['with another value of a session variable', { variables: new Map([['user_id', '8']]) }],
  ['without the session variable of the caller who started the action', { variables: new Map() }],
  [
    'with one more session variable than the caller who started the action',
    {
      variables: new Map([
        ['user_id', '7'],
        ['a', 'b'],
      ]),
    },
  ],
])('the query for the outcome of an action returns null to a caller %s', async (_who, caller) => {
  world.handler.react = answer({ title: 'mine' });
  const id = await start();
  await ended(id);
  const role = 'user';
  const action = world.model.actions.get('makeReport');
  const found = await world.runner.find(
    { ...action, roles: new Set(['user', 'reader']) } as never,
    id,
    { role, variables: new Map(), headers: {}, ...caller },
  );
  expect(found).toBeNull();
});

test.each(['00000000-0000-4000-8000-000000000009', 'no uuid'])(
  'the query for the outcome of an action returns null for the unknown id %s',
  async (id) => {
    const action = world.model.actions.get('makeReport');
    const caller = { role: 'user', variables: new Map([['user_id', '7']]), headers: {} };
    expect(await world.runner.find(action as never, id, caller)).toBeNull();
  },
);

test('a role without permission for an asynchronous action has no mutation to start it and no query for the outcome', async () => {
  const { errors } = await world.run('mutation { makeReport(year: 1) }', {
    caller: { role: 'reader' },
  });
  expect(errors?.[0]?.message).toMatch(/^(Cannot query field|Schema is not configured)/);
});

test('a handler that answers 503 is called again with the same call id', async () => {
  const count = world.handler.received.length;
  world.handler.react = (response, { event }) =>
    answer({ title: event.id }, world.handler.received.length < count + 2 ? 503 : 200)(response, {
      event,
    } as never);
  const id = await start();
  expect(await ended(id)).toMatchObject({ status: 'completed', output: { title: id } });
  expect(world.handler.received.slice(count).map(({ event }) => event.id)).toEqual([id, id]);
});

test('after the last failed try the outcome is a general error, without the answer of the handler', async () => {
  const count = world.handler.received.length;
  world.handler.react = answer({ secret: 'stack trace' }, 500);
  const id = await start();
  expect(await ended(id)).toMatchObject({
    status: 'error',
    output: null,
    errors: [
      {
        message: 'the handler of the action "makeReport" failed',
        extensions: { code: 'unexpected', path: '$' },
      },
    ],
  });
  expect(world.handler.received.length).toBe(count + 3);
});

test.each([
  [
    'answers 400 with a message',
    answer({ message: 'no such year', extensions: { code: 'year' } }, 400),
    { message: 'no such year', extensions: { code: 'year' } },
  ],
  [
    'answers with a value of the wrong type',
    answer({ title: 5 }),
    {
      message:
        'the handler of the action "makeReport" answered what it must not: $.title must be of the type String',
      extensions: { code: 'unexpected', path: '$.title' },
    },
  ],
])(
  'a handler that %s is not called again, and the outcome is an error',
  async (_what, reaction, error) => {
    const count = world.handler.received.length;
    world.handler.react = reaction;
    const id = await start();
    expect(await ended(id)).toMatchObject({ status: 'error', errors: [error], output: null });
    expect(world.handler.received.length).toBe(count + 1);
  },
);

test('a call whose worker died is completed by another worker when the lease expires', async () => {
  world.handler.react = answer({ title: 'second' });
  const { rows } = await world.world.owner.query<{ readonly id: string }>(
    `insert into rowgate_events.action_request
       (action, role, session_variables, input, client_headers, lease_seconds, status, tries, due_at)
     values ('makeReport', 'user', '{"x-gql-role": "user", "x-gql-user-id": "7"}', '{"year": 1}', '{}',
       1, 'processing', 1, now() - interval '1 s') returning id`,
  );
  const id = rows[0]?.id ?? '';
  expect(await ended(id)).toMatchObject({ status: 'completed', output: { title: 'second' } });
});

test('a call of an action that is no longer in the metadata ends with an error once the worker has loaded the new metadata', async () => {
  const { owner } = world.world;
  await owner.query('update rowgate.installation set fingerprint = $1', [world.model.fingerprint]);
  await owner.query(
    `insert into rowgate_events.action_request
       (action, role, session_variables, input, client_headers, lease_seconds)
     values ('gone', 'user', '{}', '{}', '{}', 1)`,
  );
  const errors = await until(async () => {
    const { rows } = await owner.query('select errors from rowgate_events.action_request');
    return rows[0]?.errors;
  });
  expect(errors).toEqual([
    {
      message: 'there is no action "gone" any more',
      extensions: { code: 'unexpected', path: '$' },
    },
  ]);
});

test('deleteRequests deletes only calls that ended longer ago than the retention period', async () => {
  const { owner, pool } = world.world;
  await owner.query(
    `insert into rowgate_events.action_request
       (action, role, session_variables, input, client_headers, lease_seconds, status, due_at, ended_at)
     select 'a', 'user', '{}', '{}', '{}', 1, s, 'infinity', e
     from (values ('completed', now() - interval '15 days'), ('error', now() - interval '13 days'),
       ('created', null)) v (s, e)`,
  );
  expect(await deleteRequests(pool, 14)).toBe(1);
  const { rows } = await owner.query('select status from rowgate_events.action_request order by 1');
  expect(rows).toEqual([{ status: 'created' }, { status: 'error' }]);
});

test.each([
  [
    'PUBLIC cannot use the schema with the calls of actions',
    `select has_schema_privilege('public', 'rowgate_events', 'usage') as found`,
  ],
  [
    'PUBLIC cannot read the table with the calls of actions',
    `select has_table_privilege('public', 'rowgate_events.action_request', 'select') as found`,
  ],
])('%s', async (_title, statement) => {
  expect((await world.world.owner.query(statement)).rows).toEqual([{ found: false }]);
});

test('the Postgres login of workers cannot update the caller or the input of a call', async () => {
  for (const column of ['role', 'session_variables', 'input', 'action']) {
    const update = `update rowgate_events.action_request set ${column} = ${column}`;
    await expect(world.world.pool.query(update)).rejects.toThrow('permission denied');
  }
});

test("takeRequests skips calls of an action that already uses its share of the worker's concurrent calls", async () => {
  const { owner, pool } = world.world;
  await owner.query(
    `insert into rowgate_events.action_request
       (action, role, session_variables, input, client_headers, lease_seconds, due_at)
     select a, 'user', '{}', '{}', '{}', 60, t
     from (values ('slow', 'tomorrow'::timestamptz), ('other', 'tomorrow')) v (a, t)`,
  );
  await owner.query('begin; update rowgate_events.action_request set due_at = now()');
  const taken = await takeRequests(owner as never, 10, ['slow']);
  await owner.query('rollback');
  expect(taken.map(({ action }) => action)).toEqual(['other']);
  expect(await takeRequests(pool, 10, [])).toEqual([]);
});

test("a handler that does not answer occupies about half of a worker's concurrent calls, so another action is still answered", async () => {
  let [active, peak] = [0, 0];
  const hang: Reaction = (response) => {
    active += 1;
    peak = Math.max(peak, active);
    response.once('close', () => {
      active -= 1;
    });
  };
  world.handler.react = (response, received) =>
    received.path === '/quick' ? answer(1)(response, received) : hang(response, received);
  for (let number = 0; number < 12; number += 1) await start();
  const { data } = await world.run('mutation { quick }');
  const output = await until(async () => {
    const found = await world.run('query ($id: UUID!) { quick(id: $id) { output } }', {
      variables: { id: data.quick },
    });
    return found.data.quick.output;
  });
  expect({ output, isShared: peak <= 6 }).toEqual({ output: 1, isShared: true });
  world.handler.react = answer({ title: 'over' });
  const open = 'select from rowgate_events.action_request where ended_at is null';
  await until(async () => (await world.world.owner.query(open)).rowCount === 0);
});
