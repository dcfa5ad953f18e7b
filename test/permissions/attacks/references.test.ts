import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../support/as-role.ts';
import { type Installation, install, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

/** Funds of two organizations, and tables whose foreign keys to these funds are unusual for Postgres. */
const schema = `
create table fund (id numeric primary key, org integer not null, code text unique);
create table tag (
  id integer primary key, label text,
  fund_code text generated always as (upper(label)) stored references fund (code)
);
create table entry (id integer, org integer not null, fund_id numeric) partition by list (org);
create table entry_1 partition of entry (foreign key (fund_id) references fund) for values in (1);
create table entry_2 partition of entry for values in (2);
create table colour (value text primary key);
create table thing (id integer primary key, colour text references colour);
create table small (id integer primary key, fund_id integer references fund);
create table big (id integer primary key, fund_id integer);
create table big_below (foreign key (fund_id) references fund) inherits (big);
insert into colour values ('red');
insert into fund values (10, 1, 'A'), (20, 2, 'B');
insert into big_below values (1, 10);
`;

const writing = `permissions:
  member:
    select: { filter: {}, columns: [id] }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: '*' }
`;

const rules = {
  'roles.yaml': 'roles: { member: { requires: [X-Gql-Org] } }\n',
  'rowgate.yaml': 'references_visible: true\n',
  'tables/fund.yaml':
    'table: fund\npermissions: { member: { select: { filter: { org: X-Gql-Org }, columns: [id] } } }\n',
  'tables/colour.yaml': 'table: colour\nis_enum: true\n',
  ...Object.fromEntries(
    ['tag', 'entry', 'small', 'big', 'thing'].map((name) => [
      `tables/${name}.yaml`,
      `table: ${name}\n${writing}`,
    ]),
  ),
};

let made: Installation;
beforeAll(async () => {
  made = await install({ schema, rules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

const member = (sql: string) => made.ask('member', { org: '1' }, sql);

test('a foreign key to an enum table without rules accepts any value of the table, because the schema lists all values', async () => {
  expect(await member("insert into thing values (1, 'red') returning id")).toMatchObject({
    rows: [['1']],
  });
});

test.each([
  [
    'a foreign key of a generated column',
    "insert into tag values (1, 'b')",
    "insert into tag values (1, 'a')",
  ],
  [
    'a foreign key that only one partition has',
    'insert into entry values (1, 1, 20)',
    'insert into entry values (1, 1, 10)',
  ],
  [
    'a foreign key of another type than its target',
    'insert into small values (1, 20)',
    'insert into small values (1, 10)',
  ],
  [
    'a foreign key that only an inheriting table has',
    'update big set fund_id = 20',
    'update big set fund_id = 10',
  ],
])('%s cannot refer to a row that the role may not see', async (_what, hidden, seen) => {
  expect((await failureOf(member(hidden))).message).toMatch(/^new row violates row-level security/);
  expect((await member(seen)).affected).toBe(1);
});

test('an insert into a parent table ignores a foreign key that only an inheriting table has', async () => {
  expect((await member('insert into big values (2, 20)')).affected).toBe(1);
});

test('apply refuses a foreign key whose types have no operator = with which Rowgate could find the target row', async () => {
  const odd = await makeInstallation({
    schema: `create type pair as (a integer, b integer);
      create table fund (id pair primary key);
      create table small (id integer primary key, fund_id pair references fund)`,
    rules: {
      'roles.yaml': rules['roles.yaml'],
      'rowgate.yaml': rules['rowgate.yaml'],
      'tables/fund.yaml': 'table: fund\n',
      'tables/small.yaml': `table: small\n${writing}`,
    },
  });
  onTestFinished(() => odd.drop());
  expect((await failureOf(odd.apply())).message).toContain(
    'RG_UNKNOWN_OPERATOR the columns of foreign key "small_fund_id_fkey" of public.small have no operator =',
  );
});
