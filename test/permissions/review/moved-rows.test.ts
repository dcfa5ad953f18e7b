import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeReviewPlace, type ReviewPlace } from './review-place.ts';

let place: ReviewPlace;
beforeAll(async () => {
  place = await makeReviewPlace(`
    create table org (id integer primary key, open boolean not null);
    create table doc (
      id integer primary key, org_id integer not null references org, state text not null, owner text, note text
    );
    create table loud (id integer primary key, org_id integer not null, note text);
    create function touch() returns trigger language plpgsql as 'begin return new; end';
    create trigger touch before update on loud for each row execute function touch();`);
});
afterAll(() => place.drop());

function findingsOf(update: string): Promise<readonly string[]> {
  return place.findingsOf('RG_CHECK_BEYOND_FILTER', {
    'roles.yaml': 'roles: { member: {} }\n',
    'filters.yaml': 'filters: { ours: { org_id: { _eq: X-Gql-Org } } }\n',
    'tables/org.yaml': 'table: org\n',
    'tables/doc.yaml': `table: doc\npermissions:\n  member:\n    update: ${update}\n`,
  });
}

test('check warns about an update check that lets a row leave the rows of the caller', async () => {
  expect(
    await findingsOf(
      '{ filter: { _filter: ours }, columns: [org_id, note], check: { note: { _neq: x } } }',
    ),
  ).toEqual([
    "tables/doc.yaml:4:5 warning RG_CHECK_BEYOND_FILTER member may move rows of public.doc out of its update filter, because the check does not require that org_id is the caller's X-Gql-Org; repeat the condition in the check, or take the column out of columns",
  ]);
});

test.each([
  ['a column of a table with triggers', 'loud', '{ org_id: { _eq: X-Gql-Org } }'],
  ['the key of a condition on a related row', 'doc', '{ org: { open: true } }'],
])('check does not warn when the role cannot change %s', async (_what, table, filter) => {
  const rule = `{ filter: ${filter}, columns: [note], check: { note: { _neq: x } } }`;
  const found = await place.findingsOf('RG_CHECK_BEYOND_FILTER', {
    'roles.yaml': 'roles: { member: {} }\n',
    'tables/org.yaml': 'table: org\n',
    'tables/x.yaml': `table: ${table}\npermissions: { member: { update: ${rule} } }\n`,
  });
  expect(found).toEqual([]);
});

test('check names every condition that the check leaves out', async () => {
  const [line] = await findingsOf(
    '{ filter: { _filter: ours, state: { _eq: draft }, owner: X-Gql-User }, columns: [org_id, state, owner], check: { owner: X-Gql-User } }',
  );
  expect(line).toContain(
    "does not require that org_id is the caller's X-Gql-Org and state is 'draft';",
  );
});

describe('check warns when', () => {
  test.each([
    [
      'a constant condition has no counterpart in the check',
      '{ filter: { state: { _eq: draft } }, columns: [state], check: { note: { _neq: x } } }',
    ],
    [
      'the check compares the column with another variable',
      '{ filter: { _filter: ours }, columns: [org_id], check: { org_id: { _eq: X-Gql-Other } } }',
    ],
    [
      'the check allows one more alternative',
      '{ filter: { owner: X-Gql-User }, columns: [owner], check: { _or: [{ owner: X-Gql-User }, { owner: { _is_null: true } }] } }',
    ],
    [
      'the condition is about a related row, and the role may write the key',
      '{ filter: { org: { open: true } }, columns: [org_id], check: { note: { _neq: x } } }',
    ],
  ])('%s', async (_what, update) => {
    expect(await findingsOf(update)).toHaveLength(1);
  });
});

describe('check does not warn when', () => {
  test.each([
    [
      'there is no check, so that the filter serves as one',
      '{ filter: { _filter: ours }, columns: [org_id] }',
    ],
    [
      'the role cannot change the column',
      '{ filter: { _filter: ours }, columns: [note], check: { note: { _neq: x } } }',
    ],
    [
      'the check repeats the condition',
      '{ filter: { _filter: ours }, columns: [org_id], check: { _and: [{ _filter: ours }, { note: { _neq: x } }] } }',
    ],
    [
      'the check is narrower than the filter',
      '{ filter: { state: { _in: [a, b] } }, columns: [state], check: { state: { _eq: a } } }',
    ],
    [
      'a preset fills in the column',
      '{ filter: { _filter: ours }, columns: [note], set: { org_id: X-Gql-Org }, check: { note: { _neq: x } } }',
    ],
    [
      'the check compares the column with other constants, so that the row changes its state on purpose',
      '{ filter: { state: { _eq: draft } }, columns: [state], check: { state: { _in: [draft, open] } } }',
    ],
    [
      'only Postgres can compare the conditions',
      '{ filter: { note: { _regex: "^ab" } }, columns: [note], check: { note: { _regex: "^a" } } }',
    ],
  ])('%s', async (_what, update) => {
    expect(await findingsOf(update)).toEqual([]);
  });
});
