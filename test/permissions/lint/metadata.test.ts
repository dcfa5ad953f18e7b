import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { metadataFindings } from '../../../permissions/lint/metadata-findings.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { withPrepared } from './with-prepared.ts';

const schema = `
create table org (id uuid primary key, name text not null, open boolean not null);
create table account (id uuid primary key, org_id uuid not null references org, code text not null unique);
create index on account (org_id); 
create table follower (name text not null references account (code) on update cascade on delete set null);
`;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: {} });
});
afterEach(() => made.rewrite({}));
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Returns the findings whose code begins with `code`, for one rule of role member on table account. */
async function findingsOf(rule: string, code = 'RG_'): Promise<readonly string[]> {
  await made.rewrite({
    'roles.yaml': 'roles: { member: {} }\n',
    'tables/org.yaml': 'table: org\n',
    'tables/account.yaml': `table: account\npermissions:\n  member:\n    ${rule}\n`,
  });
  const { owner, metadata } = made;
  const findings = await withPrepared(owner, made, async ({ loaded }) => metadataFindings(loaded));
  return findings
    .filter((one) => one.code.startsWith(code))
    .map((one) => formatDiagnostic(one).replaceAll(`${metadata}/`, ''));
}

test.each([
  [
    'select',
    'select: { filter: { _exists: { _table: org, _where: { open: { _eq: true } } } }, columns: [id] }',
    'select filter',
  ],
  [
    'insert',
    'insert: { check: { _not: { _exists: { _table: org, _where: {} } } }, columns: [id] }',
    'insert check',
  ],
  [
    'update',
    'update: { filter: { _exists: { _table: org, _where: { name: { _ceq: name } } } }, columns: [] }',
    'update filter',
  ],
  [
    'delete',
    'delete: { filter: { _or: [{ code: { _eq: a } }, { _exists: { _table: org, _where: { open: true } } }] } }',
    'delete filter',
  ],
])(
  'check warns about an _exists in a rule of %s that compares with neither the row nor a variable',
  async (_command, rule, what) => {
    expect(await findingsOf(rule, 'RG_UNBOUND_EXISTS')).toEqual([
      `tables/account.yaml:4:5 warning RG_UNBOUND_EXISTS the ${what} of member on public.account holds if there is any row of public.org, for every row and every caller; compare a column of it with a session variable or, by ["$", name], with one of the row`,
    ]);
  },
);

test.each([['_like'], ['_nilike'], ['_regex'], ['_similar']])(
  'check warns about a %s pattern from a session variable, because some patterns match every row',
  async (operator) => {
    expect(
      (
        await findingsOf(`select: { filter: { code: { ${operator}: X-Gql-Code } }, columns: [id] }`)
      ).filter((one) => !one.includes('RG_NOT_LEAKPROOF')),
    ).toEqual([
      'tables/account.yaml:4:5 warning RG_VARIABLE_PATTERN the select filter of member on public.account takes x-gql-code for a pattern, and some patterns match every "code"; compare by _eq or _in, or see to it that the variable holds no wildcard',
    ]);
  },
);

test.each([
  [
    'an _exists that compares with a variable',
    '{ _exists: { _table: org, _where: { name: { _eq: X-Gql-Name } } } }',
  ],
  [
    'an _exists that compares with the row',
    '{ _exists: { _table: org, _where: { id: { _ceq: ["$", org_id] } } } }',
  ],
  ['a relationship', '{ org: { open: { _eq: true } } }'],
  ['an equality', '{ code: { _eq: X-Gql-Code } }'],
])('check reports nothing for %s', async (_what, filter) => {
  expect(await findingsOf(`select: { filter: ${filter}, columns: [id] }`)).toEqual([]);
});

test.each([
  ['update: { filter: {}, columns: [code] }', 'changes a key of', 'changed along'],
  ['delete: { filter: {} }', 'deletes from', 'set to null'],
])(
  'check warns when the rule "%s" makes a foreign key change rows that no rule of the role allows to change',
  async (rule, does, done) => {
    expect(await findingsOf(rule, 'RG_FK_ACTION')).toEqual([
      `tables/account.yaml:4:5 warning RG_FK_ACTION when member ${does} public.account, rows of public.follower are ${done}, for which it has no rule; foreign key "follower_name_fkey" runs as the owner`,
    ]);
  },
);

test('check reports nothing for an update rule on columns that no foreign key refers to', async () => {
  expect(await findingsOf('update: { filter: {}, columns: [org_id] }', 'RG_FK_ACTION')).toEqual([]);
});
