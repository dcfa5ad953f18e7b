import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { metadataFindings } from '../../../permissions/lint/metadata-findings.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { withPrepared } from './with-prepared.ts';

const schema = `
create table org (id integer primary key, open boolean not null);
create table doc (
  id integer primary key, org_id integer references org, state text, amount numeric, tags text[], note text
);`;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: {} });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Returns the findings for a role that sees and writes rows of doc by these filters. Without `select`, it sees no row. */
async function findingsOf(select: string | undefined, write: string): Promise<readonly string[]> {
  const seeing = select === undefined ? '' : `select: { filter: ${select}, columns: [id] }\n    `;
  await made.rewrite({
    'roles.yaml': 'roles: { member: {} }\n',
    'filters.yaml': 'filters: { ours: { org_id: { _eq: X-Gql-Org } } }\n',
    'tables/org.yaml': 'table: org\n',
    'tables/doc.yaml': `table: doc\npermissions:\n  member:\n    ${seeing}${write}\n`,
  });
  const { owner, metadata } = made;
  const findings = await withPrepared(owner, made, async ({ loaded }) => metadataFindings(loaded));
  return findings
    .filter((one) => one.code === 'RG_WRITE_BEYOND_SELECT')
    .map((one) => formatDiagnostic(one).replaceAll(`${metadata}/`, ''));
}

const updating = (filter: string) => `update: { filter: ${filter}, columns: [note] }`;

test('check warns about an update rule for rows that the select rule may hide, because Postgres skips hidden rows', async () => {
  expect(await findingsOf('{ state: { _eq: open } }', updating('{}'))).toEqual([
    'tables/doc.yaml:5:5 warning RG_WRITE_BEYOND_SELECT member may update rows of public.doc that its select filter may hide, and Postgres passes over hidden rows where a condition is given; repeat the conditions of the select filter here, or widen that one',
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
