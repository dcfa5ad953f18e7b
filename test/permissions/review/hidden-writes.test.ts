import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DiagnosticCode } from '../../../permissions/diagnostics.ts';
import { makeReviewPlace, type ReviewPlace } from './review-place.ts';

let place: ReviewPlace;
beforeAll(async () => {
  place = await makeReviewPlace(`
    create table org (id integer primary key, open boolean not null);
    create table doc (
      id integer primary key, org_id integer references org, state text, amount numeric, tags text[], note text,
      owner text default 'nobody'
    );`);
});
afterAll(() => place.drop());

/** Returns the findings for a role that sees and writes rows of doc by these filters. Without `select`, it sees no row. */
function findingsOf(
  select: string | undefined,
  write: string,
  code: DiagnosticCode = 'RG_WRITE_BEYOND_SELECT',
): Promise<readonly string[]> {
  const seeing = select === undefined ? '' : `select: { filter: ${select}, columns: [id] }\n    `;
  return place.findingsOf(code, {
    'roles.yaml': 'roles: { member: {} }\n',
    'filters.yaml': 'filters: { ours: { org_id: { _eq: X-Gql-Org } } }\n',
    'tables/org.yaml': 'table: org\n',
    'tables/doc.yaml': `table: doc\npermissions:\n  member:\n    ${seeing}${write}\n`,
  });
}

const updating = (filter: string) => `update: { filter: ${filter}, columns: [note] }`;

test('check warns about an update rule for rows that the select rule may hide, because Postgres skips hidden rows', async () => {
  expect(await findingsOf('{ state: { _eq: open } }', updating('{}'))).toEqual([
    "tables/doc.yaml:5:5 warning RG_WRITE_BEYOND_SELECT member may update rows of public.doc that its select filter may hide, and Postgres passes over hidden rows where a condition is given; repeat the conditions of the select filter here, or widen that one; hidden are, for example, rows of doc where state is null or not 'open'",
  ]);
});

test('check warns about a delete rule of a role without a select rule, because Postgres skips hidden rows', async () => {
  expect(await findingsOf(undefined, 'delete: { filter: {} }')).toEqual([
    'tables/doc.yaml:4:5 warning RG_WRITE_BEYOND_SELECT member may delete rows of public.doc but sees none, and Postgres passes over hidden rows where a condition is given; give the role a select rule there',
  ]);
});

describe('check does not warn that an update rule allows rows that the select rule hides, when', () => {
  test.each([
    ['the select rule shows every row', '{}', '{ state: { _eq: open } }'],
    [
      'the select and update filters are the same',
      '{ _filter: ours }',
      '{ org_id: { _eq: X-Gql-Org } }',
    ],
    [
      'the update filter has all conditions of the select filter and more',
      '{ _and: [{ _filter: ours }, { org: { open: { _eq: true } } }] }',
      '{ org: { open: { _eq: true } }, _and: [{ note: { _is_null: false } }, { _and: [{ _filter: ours }] }] }',
    ],
    [
      'the update filter names one of the values that the select filter shows',
      '{ state: { _in: [a, b] } }',
      '{ state: { _eq: b } }',
    ],
    [
      'the update filter names only values that the select filter shows',
      '{ amount: { _in: [1, 2, 3] } }',
      '{ amount: { _in: [2, 1] } }',
    ],
    [
      'the update filter names none of the values that the select filter hides by _neq',
      '{ state: { _neq: draft } }',
      '{ state: { _in: [a, b] } }',
    ],
    [
      'the update filter names none of the values that the select filter hides by _nin',
      '{ state: { _nin: [c, d] } }',
      '{ state: { _eq: a } }',
    ],
    [
      'the update filter takes a smaller range than the select filter',
      '{ amount: { _gt: 1 } }',
      '{ amount: { _gte: 2 } }',
    ],
    [
      'every alternative of the update filter is one of the select filter',
      '{ _or: [{ state: { _eq: a } }, { note: { _eq: b } }, { _filter: ours }] }',
      '{ _or: [{ _filter: ours }, { state: { _eq: a } }] }',
    ],
    [
      'only a missing variable of the select filter could make a difference',
      '{ _or: [{ state: { _eq: a } }, { note: { _eq: X-Gql-Note } }] }',
      '{ state: { _eq: a } }',
    ],
    [
      'only Postgres can compare the conditions',
      '{ note: { _regex: "^a" } }',
      '{ note: { _regex: "^ab" } }',
    ],
  ])('%s', async (_what, select, write) => {
    expect(await findingsOf(select, updating(write))).toEqual([]);
  });
});

describe('check warns that an update rule allows rows that the select rule hides, when', () => {
  test.each([
    [
      'the update filter lacks a condition of the select filter',
      '{ _filter: ours, state: { _eq: a } }',
      '{ _filter: ours }',
    ],
    [
      'the update filter names a value that the select filter does not show',
      '{ state: { _in: [a, b] } }',
      '{ state: { _in: [b, c] } }',
    ],
    [
      'the update filter names a value that the select filter hides',
      '{ state: { _nin: [a, b] } }',
      '{ state: { _in: [b, c] } }',
    ],
    ['the update filter compares another column', '{ state: { _eq: a } }', '{ note: { _eq: a } }'],
    [
      'the update filter only excludes a value',
      '{ state: { _in: [a, b] } }',
      '{ state: { _neq: c } }',
    ],
    [
      'two different texts may be the same number',
      '{ amount: { _neq: 1 } }',
      '{ amount: { _eq: 1.0 } }',
    ],
    [
      'the column is an array, so a list in the filter is one value',
      '{ tags: { _eq: [a, b] } }',
      '{ tags: { _eq: [a] } }',
    ],
    [
      'the update filter compares with a variable',
      '{ state: { _in: [a] } }',
      '{ state: { _eq: X-Gql-State } }',
    ],
    [
      'the select filter is an _or',
      '{ _or: [{ state: { _eq: a } }] }',
      '{ _or: [{ state: { _eq: b } }] }',
    ],
    [
      'the update filter is an _or with another alternative',
      '{ state: { _eq: a } }',
      '{ _or: [{ state: { _eq: a } }, { note: { _eq: a } }] }',
    ],
  ])('%s', async (_what, select, write) => {
    expect(await findingsOf(select, updating(write))).toHaveLength(1);
  });
});

describe('an inheriting role', () => {
  const filesOf = (child: string) => ({
    'roles.yaml':
      'roles: { narrow: {}, wide: {}, child: { inherits: [narrow, wide] }, admins: { inherits: [narrow] } }\n',
    'tables/org.yaml': 'table: org\n',
    'tables/doc.yaml': `table: doc
permissions:
  narrow:
    select: { filter: { state: { _eq: open } }, columns: [id] }
    update: { filter: { state: { _in: [open, done] } }, columns: [note] }
  wide: { select: { filter: { state: { _eq: done } }, columns: [id] } }
${child}`,
  });

  test('has no finding when the filters that it inherits show all rows together', async () => {
    const found = await place.findingsOf('RG_WRITE_BEYOND_SELECT', filesOf(''));
    expect(found.map((line) => line.replace(/ rows of.*/, ''))).toEqual([
      'tables/doc.yaml:5:5 warning RG_WRITE_BEYOND_SELECT narrow may update',
    ]);
  });

  test('has a finding of its own when its own select rule hides rows of an inherited update rule', async () => {
    const own = '  child: { select: { filter: { state: { _eq: done } }, columns: [id] } }\n';
    const found = await place.findingsOf('RG_WRITE_BEYOND_SELECT', filesOf(own));
    expect(found.map((line) => line.replace(/ rows of.*/, ''))).toEqual([
      'tables/doc.yaml:5:5 warning RG_WRITE_BEYOND_SELECT child may update',
      'tables/doc.yaml:5:5 warning RG_WRITE_BEYOND_SELECT narrow may update',
    ]);
  });
});

test('check warns about an insert rule of a role that sees no row, because conflicts reveal hidden rows', async () => {
  const insert = 'insert: { check: {}, columns: [id] }';
  expect(await findingsOf(undefined, insert, 'RG_INSERT_WITHOUT_SELECT')).toEqual([
    'tables/doc.yaml:4:5 warning RG_INSERT_WITHOUT_SELECT member may insert rows into public.doc but sees none, so a mutation returns none of them, and a conflict reveals that a hidden row exists; give the role a select rule for its own rows there',
  ]);
});

test('check reports nothing about an insert rule of a role that sees some rows', async () => {
  const insert = 'insert: { check: {}, columns: [id] }';
  expect(await findingsOf('{ state: { _eq: open } }', insert, 'RG_INSERT_WITHOUT_SELECT')).toEqual(
    [],
  );
});

test('check gives a notice of an insert rule for rows that the select filter hides', async () => {
  const insert = 'insert: { check: {}, columns: [id, state] }';
  expect(await findingsOf('{ state: { _eq: open } }', insert, 'RG_INSERT_BEYOND_SELECT')).toEqual([
    "tables/doc.yaml:5:5 notice RG_INSERT_BEYOND_SELECT member may insert rows into public.doc that its select filter hides, and a mutation cannot return these; repeat the conditions of the select filter in the check, or fill the columns by set; hidden are, for example, rows of doc where state is null or not 'open'",
  ]);
});

describe('check gives no notice of an insert rule when the select filter shows every new row, because', () => {
  test.each([
    [
      'the check repeats it',
      '{ _filter: ours }',
      '{ check: { _filter: ours }, columns: [org_id] }',
    ],
    [
      'a preset fills in the column',
      '{ _filter: ours }',
      '{ check: {}, set: { org_id: X-Gql-Org }, columns: [id] }',
    ],
    [
      'the column stays null',
      '{ state: { _is_null: true } }',
      '{ check: {}, columns: [id, note] }',
    ],
    [
      'only the database fills in the column, by a default that the rules do not know',
      '{ owner: { _eq: nobody } }',
      '{ check: {}, columns: [id] }',
    ],
  ])('%s', async (_what, select, insert) => {
    expect(await findingsOf(select, `insert: ${insert}`, 'RG_INSERT_BEYOND_SELECT')).toEqual([]);
  });

  test('a key must refer to a visible row', async () => {
    const files = {
      'roles.yaml': 'roles: { member: {} }\n',
      'rowgate.yaml': 'references_visible: true\n',
      'tables/org.yaml':
        'table: org\npermissions: { member: { select: { filter: { open: true }, columns: [id] } } }\n',
      'tables/doc.yaml': `table: doc
permissions:
  member:
    select: { filter: { _or: [{ org_id: { _is_null: true } }, { org: { open: true } }] }, columns: [id] }
    insert: { check: {}, columns: [id, org_id] }
`,
    };
    expect(await place.findingsOf('RG_INSERT_BEYOND_SELECT', files)).toEqual([]);
    const loose = { ...files, 'rowgate.yaml': 'references_visible: false\n' };
    expect(await place.findingsOf('RG_INSERT_BEYOND_SELECT', loose)).toHaveLength(1);
  });
});
