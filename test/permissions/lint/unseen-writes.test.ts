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

/** Returns the findings for a role that sees and writes rows of doc by these filters. Without `select` it sees none. */
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

test('an update rule for rows that the select rule may hide is reported with an instruction', async () => {
  expect(await findingsOf('{ state: { _eq: open } }', updating('{}'))).toEqual([
    'tables/doc.yaml:5:5 warning RG_WRITE_BEYOND_SELECT member may update rows of public.doc that its select filter may hide, and Postgres passes over hidden rows where a condition is given; repeat the conditions of the select filter here, or widen that one',
  ]);
});

test('a delete rule without a select rule is reported', async () => {
  expect(await findingsOf(undefined, 'delete: { filter: {} }')).toEqual([
    'tables/doc.yaml:4:5 warning RG_WRITE_BEYOND_SELECT member may delete rows of public.doc but sees none, and Postgres passes over hidden rows where a condition is given; give the role a select rule there',
  ]);
});

describe('no finding is reported when', () => {
  test.each([
    ['every row is seen', '{}', '{ state: { _eq: open } }'],
    ['both filters are the same', '{ _filter: ours }', '{ org_id: { _eq: X-Gql-Org } }'],
    [
      'the conditions of the one stand among those of the other',
      '{ _and: [{ _filter: ours }, { org: { open: { _eq: true } } }] }',
      '{ org: { open: { _eq: true } }, _and: [{ note: { _is_null: false } }, { _and: [{ _filter: ours }] }] }',
    ],
    ['a value is one of those seen', '{ state: { _in: [a, b] } }', '{ state: { _eq: b } }'],
    [
      'values are some of those seen',
      '{ amount: { _in: [1, 2, 3] } }',
      '{ amount: { _in: [2, 1] } }',
    ],
    ['values are none of those hidden', '{ state: { _neq: draft } }', '{ state: { _in: [a, b] } }'],
    ['a value is none of those hidden', '{ state: { _nin: [c, d] } }', '{ state: { _eq: a } }'],
  ])('%s', async (_what, select, write) => {
    expect(await findingsOf(select, updating(write))).toEqual([]);
  });
});

describe('a finding is reported when', () => {
  test.each([
    ['a condition is missing', '{ _filter: ours, state: { _eq: a } }', '{ _filter: ours }'],
    ['one of the values is not seen', '{ state: { _in: [a, b] } }', '{ state: { _in: [b, c] } }'],
    ['one of the values is hidden', '{ state: { _nin: [a, b] } }', '{ state: { _in: [b, c] } }'],
    ['another column is compared', '{ state: { _eq: a } }', '{ note: { _eq: a } }'],
    ['values are excluded alone', '{ state: { _in: [a, b] } }', '{ state: { _neq: c } }'],
    [
      'texts that differ may be the same value',
      '{ amount: { _neq: 1 } }',
      '{ amount: { _eq: 1.0 } }',
    ],
    ['a list is a value of its own', '{ tags: { _eq: [a, b] } }', '{ tags: { _eq: [a] } }'],
    ['a variable stands for a value', '{ state: { _in: [a] } }', '{ state: { _eq: X-Gql-State } }'],
    [
      'the conditions are alternatives',
      '{ _or: [{ state: { _eq: a } }] }',
      '{ _or: [{ state: { _eq: b } }] }',
    ],
    [
      'one of several is enough to write',
      '{ state: { _eq: a } }',
      '{ _or: [{ state: { _eq: a } }, { note: { _eq: a } }] }',
    ],
  ])('%s', async (_what, select, write) => {
    expect(await findingsOf(select, updating(write))).toHaveLength(1);
  });
});
