import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dependencies } from '../../../../server/graphql/request/live-operation.ts';
import { type Ask, type Gateway, startGateway } from '../support/gateway.ts';
import { subscribe } from './support/subscribe.ts';
import { metadata, schema } from './support/world.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const variables = { 'Organization-Id': '1', 'Organization-Ids': '{1,+2,NULL}', 'User-Id': '7' };

/** Writes dependencies as `table(column=value|value)`, in the order of the alphabet. */
function written({ tables, isPolled, notLive }: Dependencies): readonly string[] {
  const texts = tables.map(({ table, keys }) => {
    const known = [...keys].map(([column, values]) => `${column}=${values.join('|')}`);
    return `${table.replace('public.', '')}(${known.sort().join(' ')})`;
  });
  return [...texts.sort(), ...(isPolled ? ['polled', ...notLive] : [])];
}

async function dependenciesOf(role: string, query: string, given?: object) {
  const ask: Ask = { role, variables, with: given };
  return written((await subscribe(gateway, `subscription ${query}`, ask)).dependencies);
}

const uuid = '00000000-0000-4000-8000-0000000000AB';

test.each([
  [
    'a list of the own organization',
    'member',
    '{ project { id } }',
    ['project(organization_id=1)'],
  ],
  ['an array variable', 'lister', '{ project { id } }', ['project(organization_id=1|2)']],
  ['alternatives with different columns', 'either', '{ project { id } }', ['project()']],
  [
    'a row of another table',
    'granted',
    '{ project { id } }',
    ['membership(person_id=7)', 'project()'],
  ],
  [
    'a relationship in the rule',
    'member',
    '{ task { id } }',
    ['project(organization_id=1)', 'task()'],
  ],
  [
    'a negated relationship in the rule',
    'either',
    '{ task { id } }',
    ['project(organization_id=1)', 'task()'],
  ],
  [
    'relationships of depth 3 in the rule',
    'granted',
    '{ task { id } }',
    ['project(mood=calm)', 'task()'],
  ],
  [
    'relationships of depth 2 in the rule, and a key',
    'member',
    `{ note_by_pk(id: "{${uuid.replaceAll('-', '')}}") { body } }`,
    [`note(id=${uuid.toLowerCase()})`, 'project(organization_id=1)', 'task()'],
  ],
  [
    'inherited rules, whose masks read the same columns',
    'combined',
    '{ project { id title } }',
    ['project()'],
  ],
  [
    'a mask that reads another table',
    'mixed',
    '{ task { id amount } }',
    ['project(organization_id=1)', 'task()'],
  ],
  [
    'a where of one value',
    'lister',
    '{ project(where: {id: {_eq: 3}, title: {_eq: "a"}}) { id } }',
    ['project(id=3 organization_id=1|2 title=a)'],
  ],
  [
    'a where with _and, _in and alternatives',
    'lister',
    '{ project(where: {_and: [{id: {_in: [3, 4]}}, {_or: [{mood: {_eq: calm}}, {mood: {_eq: busy}}]}]}) { id } }',
    ['project(id=3|4 mood=calm|busy organization_id=1|2)'],
  ],
  [
    'comparisons that are not equality',
    'lister',
    '{ project(where: {id: {_gt: 3}, _not: {mood: {_eq: calm}}, _or: [{id: {_eq: 1}}, {title: {_eq: "a"}}]}) { id } }',
    ['project(organization_id=1|2)'],
  ],
  [
    'related rows in the selection, which have the key of the row above',
    'member',
    '{ project_by_pk(id: 1) { tasks { title } tasks_aggregate { aggregate { count } } } }',
    ['project(id=1 organization_id=1)', 'project(organization_id=1)', 'task(project_id=1)'],
  ],
  [
    'related rows in where and order_by',
    'member',
    '{ task(where: {project: {id: {_eq: 2}}}, order_by: {notes_aggregate: {count: asc}}) { id } }',
    ['note()', 'project(id=2 organization_id=1)', 'project(organization_id=1)', 'task()'],
  ],
  ['a table that is not live', 'member', '{ plain { id } }', ['polled', 'public.plain']],
  ['a rule that reads the time', 'member', '{ offer { id } }', ['offer()', 'polled']],
  [
    'a view, and the table below it',
    'member',
    '{ project_title { title } }',
    ['project()', 'polled'],
  ],
  [
    'a function',
    'member',
    '{ tasks_of(args: {project: 1}) { id } }',
    ['project(organization_id=1)', 'task()', 'polled'],
  ],
  [
    'a computed field',
    'member',
    '{ project_by_pk(id: 1) { task_count } }',
    ['project(id=1 organization_id=1)', 'polled'],
  ],
  [
    'an argument that names a passing time',
    'watcher',
    '{ task(where: {at: {_lt: "now"}}) { id } }',
    ['task()', 'polled'],
  ],
  [
    'a stream',
    'lister',
    '{ task_stream(batch_size: 1, cursor: {initial_value: {id: 1}}, where: {project_id: {_eq: 2}}) { id } }',
    ['project(organization_id=1|2)', 'task(project_id=2)'],
  ],
])('the dependencies of %s (role %s) are known', async (_, role, query, expected) => {
  expect(await dependenciesOf(role, query)).toEqual(expected);
});

test('values of the variables of the document narrow, and null does not', async () => {
  const query = '($id: [Int!]!) { project(where: {id: {_in: $id}}) { id } }';
  const own = 'organization_id=1|2';
  expect(await dependenciesOf('lister', query, { id: [5, 5] })).toEqual([`project(id=5 ${own})`]);
  expect(await dependenciesOf('lister', query, { id: [6] })).toEqual([`project(id=6 ${own})`]);
  const many = Array.from({ length: 101 }, (_, index) => index);
  expect(await dependenciesOf('lister', query, { id: many })).toEqual([`project(${own})`]);
});
