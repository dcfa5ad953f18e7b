import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeReviewPlace, type ReviewPlace } from './review-place.ts';

let place: ReviewPlace;
beforeAll(async () => {
  place = await makeReviewPlace(`
    create table doc (id integer primary key, org_id integer not null, state text, owner text);
    create table memo (id integer primary key, org_id integer not null, state text, doc_id integer references doc);`);
});
afterAll(() => place.drop());

const select = (filter: string) => `{ select: { filter: ${filter}, columns: [id] } }`;

/** Returns the findings about roles a, b and c, which see rows by one condition each. */
function findingsOf([a, b, c]: readonly string[], filters = '') {
  return place.findingsOf('RG_REPEATED_FILTER', {
    'roles.yaml': 'roles: { a: {}, b: {}, c: {} }\n',
    'filters.yaml': `filters: { other: { id: { _eq: 1 } }${filters} }\n`,
    'tables/doc.yaml': `table: doc\npermissions:\n  a: ${select(a ?? '{}')}\n  b: ${select(b ?? '{}')}\n`,
    'tables/memo.yaml': `table: memo\npermissions:\n  c: ${select(c ?? '{}')}\n`,
  });
}

const ownOpen = '{ org_id: X-Gql-Org, state: { _eq: open } }';

test('check gives one notice of a condition that three rules write, with every place', async () => {
  expect(await findingsOf([ownOpen, ownOpen, ownOpen])).toEqual([
    'tables/doc.yaml:3:26 notice RG_REPEATED_FILTER several rules write the condition { org_id: X-Gql-Org, state: { _eq: open } }; name it in filters.yaml, and write { _filter: name } at tables/doc.yaml:3, tables/doc.yaml:4, tables/memo.yaml:3',
  ]);
});

test('check names the filter that a repeated condition equals, even if the condition is short', async () => {
  const ours = '{ org_id: { _eq: X-Gql-Org } }';
  expect(await findingsOf([ours, '{}', ours], `, ours: ${ours}`)).toEqual([
    'tables/doc.yaml:3:26 notice RG_REPEATED_FILTER rules write the condition { org_id: { _eq: X-Gql-Org } }, which is the filter "ours"; write { _filter: ours } at tables/doc.yaml:3, tables/memo.yaml:3, or run rowgate check --fix',
  ]);
});

test('check finds a repeated condition whose keys are in another order', async () => {
  const turned = '{ state: { _eq: open }, org_id: X-Gql-Org }';
  expect(await findingsOf([ownOpen, turned, ownOpen])).toHaveLength(1);
});

describe('check gives no notice of', () => {
  test.each([
    ['a condition that two rules write', [ownOpen, ownOpen, '{}'], ''],
    [
      'conditions that differ in a constant',
      [ownOpen, ownOpen, ownOpen.replace('open', 'done')],
      '',
    ],
    [
      'a text and a number',
      ['{ id: 1, state: "1" }', '{ id: 1, state: "1" }', '{ id: "1", state: "1" }'],
      '',
    ],
    ['a short condition without a name', Array(3).fill('{ org_id: { _eq: X-Gql-Org } }'), ''],
    ['rules for every row', ['{}', '{}', '{}'], ', all: {}'],
    [
      'rules that name filters',
      Array(3).fill('{ _and: [{ _filter: other }, { _filter: ours }] }'),
      ', ours: { org_id: X-Gql-Org }',
    ],
    [
      'a named filter that only one rule writes out',
      ['{ org_id: X-Gql-Org }', '{}', '{}'],
      ', ours: { org_id: X-Gql-Org }',
    ],
  ])('%s', async (_what, conditions, filters) => {
    expect(await findingsOf(conditions as readonly string[], filters)).toEqual([]);
  });
});

test('check gives a notice of a condition on a related row that three rules write', async () => {
  const files = {
    'roles.yaml': 'roles: { a: {}, b: {}, c: {} }\n',
    'tables/doc.yaml': 'table: doc\n',
    'tables/memo.yaml': `table: memo\npermissions:\n${['a', 'b', 'c']
      .map((role) => `  ${role}: ${select('{ doc: { owner: X-Gql-User } }')}\n`)
      .join('')}`,
  };
  expect(await place.findingsOf('RG_REPEATED_FILTER', files)).toHaveLength(1);
});

test('check gives a notice of each name that a list holds twice', async () => {
  const found = await place.findingsOf('RG_REPEATED_ITEM', {
    'roles.yaml': 'roles: { a: { requires: [X-Gql-Org, X-Gql-User, X-Gql-Org] } }\n',
    'tables/doc.yaml': `table: doc
permissions:
  a:
    select: { filter: {}, columns: [id, state, id] }
    update: { filter: { id: { _eq: 1 } }, columns: [state, owner] }
`,
  });
  expect(found).toEqual([
    'roles.yaml:1:49 notice RG_REPEATED_ITEM the variables that a requires hold "X-Gql-Org" twice; remove the second one, or run rowgate check --fix',
    'tables/doc.yaml:4:48 notice RG_REPEATED_ITEM the select columns of a on public.doc hold "id" twice; remove the second one, or run rowgate check --fix',
  ]);
});
