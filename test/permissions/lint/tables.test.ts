import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeMetadata } from '../support/metadata-files.ts';
import { byOwner, type LintCase, type LintDatabase, makeLintDatabase } from './lint-database.ts';

let lintDatabase: LintDatabase;
beforeAll(async () => {
  lintDatabase = await makeLintDatabase();
});
afterAll(async () => {
  await lintDatabase.drop();
  await removeMetadata();
});

const cases: readonly LintCase[] = [
  {
    fact: 'a foreign key without an index',
    sql: `${byOwner} alter table org add a uuid, add b uuid, add foreign key (a, b) references account (id, org_id)`,
    finding:
      'warning RG_FK_UNINDEXED no index of public.org begins with the columns of its foreign key "org_a_b_fkey"; ',
    repair: 'create index on "public"."org" ("a", "b")',
  },
  {
    fact: 'an index that equals the index of a unique constraint',
    sql: `${byOwner} create index "Again" on account (org_id, code)`,
    finding:
      'warning RG_DUPLICATE_INDEX indexes "Again" and "account_org_id_code_key" of public.account are the same; ',
    repair: 'drop index "public"."Again"',
  },
  {
    fact: 'an index that exists twice',
    sql: `${byOwner} create index one on account (lower(note)) where code > ''; create index two on account (lower(note)) where code > ''`,
    finding: 'warning RG_DUPLICATE_INDEX indexes "two" and "one" of public.account are the same; ',
    repair: 'drop index "public"."two"',
  },
];

const paired = 'create unique index on account (id, org_id);';

describe.each(cases)('$fact', ({ sql, finding, repair }) => {
  const prepared = sql.replace(byOwner, `${byOwner} ${paired}`);

  test('is reported by check with the statement that repairs it', async () => {
    expect(await lintDatabase.findingsAfter(prepared)).toEqual([finding + repair]);
  });

  test('is not reported any more after that statement', async () => {
    expect(await lintDatabase.findingsAfter(`${prepared}; ${repair}`)).toEqual([]);
  });
});

test('check warns about a table with rules that has no primary key', async () => {
  const findings = await lintDatabase.findingsAfter(
    'alter table public.account drop constraint account_pkey',
  );
  expect(findings).toEqual([
    'tables/account.yaml:2:8 warning RG_NO_PRIMARY_KEY public.account has no primary key, so clients cannot query a single row by key; add one; a uuid does not reveal the number of rows',
  ]);
});

test.each([
  ['a unique column', 'alter table public.account add unique (code)'],
  ['a unique expression', 'create unique index account_code_key on public.account (lower(code))'],
  [
    'a partial unique index',
    'create unique index account_code_key on public.account (code) where org_id is not null',
  ],
  [
    'an exclusion constraint',
    'alter table public.account add constraint account_code_key exclude using btree (code with =)',
  ],
])(
  'check warns about %s that does not contain the tenant, because an insert reveals values of hidden rows',
  async (_what, sql) => {
    const findings = await lintDatabase.findingsAfter(sql);
    expect(findings.filter((one) => !one.includes('RG_UPSERT_REVEALS'))).toEqual([
      'tables/account.yaml:2:8 warning RG_UNIQUE_REVEALS unique index "account_code_key" of public.account reveals to member values of rows that they may not see; let it begin with a column that their rules compare with a session variable',
    ]);
  },
);

test.each([
  [
    'indexes that differ in a predicate',
    "create index on account (note); create index on account (note) where code > ''",
  ],
  [
    'indexes that differ in order',
    'create index on account (note); create index on account (note desc)',
  ],
  [
    'a unique index that contains the column of the tenant',
    'create unique index on account (note, org_id)',
  ],
  ['a unique column that no role may write', 'alter table account add secret text unique'],
  ['a unique index of uuids', 'alter table account add other uuid unique'],
  [
    'a foreign key whose columns an index lists in another order',
    `${paired} alter table org add a uuid, add b uuid, add foreign key (a, b) references account (id, org_id); create index on org (b, a, name)`,
  ],
])('check reports nothing for %s', async (_what, sql) => {
  expect(await lintDatabase.findingsAfter(`${byOwner} ${sql}`)).toEqual([]);
});
