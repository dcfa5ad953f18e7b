import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, type Gateway, startGateway } from '../support/gateway.ts';
import { fetched, liveQuery, subscribe } from './support/subscribe.ts';
import { metadata, schema } from './support/world.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const member: Ask = { role: 'member', variables: { 'Organization-Id': '1' } };
const combined: Ask = { ...member, role: 'combined' };

const rootFields = '{ __schema { subscriptionType { name fields { name } } } }';

test.each([
  ['reader', ['project', 'project_aggregate', 'project_by_pk', 'project_stream', 'task_by_pk']],
  ['watcher', ['task', 'task_by_pk', 'task_stream']],
])('the subscription type of the role %s has the fields %j', async (role, names) => {
  const { data } = await gateway.ask(rootFields, { role });
  expect(data.__schema.subscriptionType.name).toBe('subscription_root');
  const fields: readonly { readonly name: string }[] = data.__schema.subscriptionType.fields;
  expect(fields.map(({ name }) => name)).toEqual(names);
});

test('a role that may select nothing has no subscription type', async () => {
  const { data } = await gateway.ask(rootFields, { role: 'guest' });
  expect(data.__schema.subscriptionType).toBeNull();
  await expect(
    subscribe(gateway, 'subscription { task { id } }', { role: 'guest' }),
  ).rejects.toThrow('no subscriptions exist');
});

test('tables without a stream column, tables that are not live and volatile functions have no such field', async () => {
  const { data } = await gateway.ask(rootFields, { role: 'member' });
  const fields: readonly { readonly name: string }[] = data.__schema.subscriptionType.fields;
  const names = fields.map(({ name }) => name);
  expect(names).toContain('plain');
  expect(names).not.toContain('plain_stream');
  expect(names).toContain('tasks_of');
  expect(names).not.toContain('touch_task');
});

test.each([
  [
    'subscription { a: task { id } b: task { id } }',
    'subscriptions must select one top level field',
  ],
  ['subscription { __typename }', 'subscriptions must select one top level field'],
  ['subscription { task @skip(if: true) { id } }', 'subscriptions must select one top level field'],
  [
    'subscription { __schema { queryType { name } } }',
    "field '__schema' not found in type: 'subscription_root'",
  ],
  ['subscription { touch_task(args: {task: 1}) { id } }', "field 'touch_task' not found"],
  ['subscription { membership { id } }', "field 'membership' not found"],
  ['subscription { task(where: {nothing: {_eq: 1}}) { id } }', "field 'nothing' not found"],
  ['query { task { id } }', 'only subscriptions can be subscribed to'],
])('%s is refused with "%s"', async (query, message) => {
  await expect(subscribe(gateway, query, member)).rejects.toThrow(message);
});

test('a caller without a session variable of the rule cannot subscribe', async () => {
  const query = 'subscription { project { id } }';
  await expect(subscribe(gateway, query, { role: 'member' })).rejects.toThrow(
    'missing session variable: "x-gql-organization-id"',
  );
});

test('a subscription over plain HTTP is refused with the transports that it needs', async () => {
  const answer = await gateway.ask('subscription { task { id } }', member);
  expect(answer.errors?.[0]).toMatchObject({
    message: 'subscriptions need a WebSocket, or the header accept: text/event-stream',
    extensions: { code: 'not-supported' },
  });
});

const queries: readonly (readonly [string, Ask])[] = [
  ['{ project(order_by: {id: asc}) { id title tasks(order_by: {id: asc}) { id title } } }', member],
  ['{ renamed: project_by_pk(id: 1) { id organization_id } }', member],
  ['{ project_by_pk(id: 3) { id } }', member],
  ['{ task_aggregate { aggregate { count sum { amount } } nodes { title } } }', member],
  ['{ tasks_of(args: {project: 1}, order_by: {id: asc}) { id project { title } } }', member],
  ['{ tasks_of_aggregate(args: {project: 1}) { aggregate { count } } }', member],
  ['{ project(order_by: {id: asc}) { id title organization_id mood } }', combined],
  ['{ project { task_count } }', member],
  [
    '($id: Int!) { task(where: {id: {_lt: $id}}, order_by: {id: desc}, limit: 3) { id } }',
    { ...member, with: { id: 9 } },
  ],
  ['{ note(order_by: {id: asc}) { body task { project { title } } } }', member],
];

test.each(queries)(
  'the answer to the live query %s equals that of the query',
  async (text, ask) => {
    const query = await liveQuery(gateway, `subscription ${text}`, ask);
    const expected = await gateway.ask(`query ${text}`, ask);
    expect(expected.errors).toBeUndefined();
    expect(await fetched(query)).toEqual(expected);
  },
);

test('a field that only subscription_root_fields allow is answered', async () => {
  const query = await liveQuery(gateway, 'subscription { task(order_by: {id: asc}) { id } }', {
    role: 'watcher',
  });
  expect(await fetched(query)).toEqual({ data: { task: [{ id: 1 }, { id: 2 }] } });
});

describe('cohorts', () => {
  const text = 'subscription ($t: String) { project(where: {title: {_eq: $t}}) { id } }';
  const cohortOf = async (ask: Ask, query = text) => (await subscribe(gateway, query, ask)).cohort;

  test('equal subscriptions of callers whose other session variables differ share a cohort', async () => {
    const variables = { 'Organization-Id': '1', 'User-Id': '5' };
    const a = await cohortOf({ ...member, with: { t: 'a' } });
    expect(await cohortOf({ ...member, variables, with: { t: 'a' } })).toBe(a);
  });

  test.each([
    ['another argument', { ...member, with: { t: 'b' } }, text],
    [
      'another value of a variable of the rule',
      { role: 'member', variables: { 'Organization-Id': '2' }, with: { t: 'a' } },
      text,
    ],
    ['another role', { ...combined, with: { t: 'a' } }, text],
    [
      'another response key',
      { ...member, with: { t: 'a' } },
      text.replace('project(', 'p: project('),
    ],
  ])('%s makes another cohort', async (_, ask, query) => {
    expect(await cohortOf(ask, query)).not.toBe(await cohortOf({ ...member, with: { t: 'a' } }));
  });

  test('a function that may read any session variable makes all of them part of the cohort', async () => {
    const query = 'subscription { tasks_of(args: {project: 1}) { id } }';
    const variables = { 'Organization-Id': '1', 'User-Id': '5' };
    expect(await cohortOf({ ...member, variables }, query)).not.toBe(await cohortOf(member, query));
  });

  test('a variable that only an alternative of an inherited rule reads is part of the cohort', async () => {
    const query = 'subscription { project { id } }';
    const other = { ...combined, variables: { 'Organization-Id': '2' } };
    expect(await cohortOf(other, query)).not.toBe(await cohortOf(combined, query));
  });

  test('a variable that only a mask reads is part of the cohort', async () => {
    const query = 'subscription { task { amount } }';
    const mixed = (organization: string) =>
      cohortOf({ role: 'mixed', variables: { 'Organization-Id': organization } }, query);
    expect(await mixed('1')).not.toBe(await mixed('2'));
  });

  test('a reload makes another cohort', async () => {
    const ask = { ...member, with: { t: 'a' } };
    const before = await cohortOf(ask);
    await gateway.reload();
    expect(await cohortOf(ask)).not.toBe(before);
  });
});
