import { afterAll, beforeAll, expect, test } from 'vitest';
import { metadataFindings } from '../../../permissions/lint/metadata-findings.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { withPrepared } from './with-prepared.ts';

const schema = `
create table ticket (id integer, status text, org text, made timestamptz default now(), by text, state text)
  partition by list (status);
create table ticket_open partition of ticket for values in ('open') partition by list (lower(org));
create table ticket_done partition of ticket for values in ('done') partition by range (made);
create table plain (id integer, status text, by text);
`;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: {} });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Returns the findings about presets for the rules of one role, given by table. */
async function findingsOf(rules: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const files = Object.entries(rules).map(([table, rule]) => [
    `tables/${table}.yaml`,
    `table: ${table}\npermissions: { clerk: { ${rule} } }\n`,
  ]);
  await made.rewrite({ 'roles.yaml': 'roles: { clerk: {} }\n', ...Object.fromEntries(files) });
  const found = await withPrepared(made.owner, made, async ({ loaded }) =>
    metadataFindings(loaded),
  );
  return found.filter(({ code }) => code === 'RG_BAD_PRESET').map(({ message }) => message);
}

const insert = (columns: string, set: string) =>
  `insert: { check: {}, columns: [${columns}], set: { ${set} } }`;
const update = (columns: string, set = '') =>
  `update: { filter: {}, columns: [${columns}], set: { ${set} } }`;
const by = 'by: X-Gql-User-Id';
const moved =
  'column "by" is set in new rows, and would be in rows of public.ticket that clerk moves to another partition';

test.each([
  ['status', ''],
  ['org', ''],
  ['made', ''],
  ['state', 'status: done'],
])(
  'an insert preset is refused when the update rule can move the row to another partition by %s %s',
  async (columns, set) => {
    expect(await findingsOf({ ticket: `${insert('id', by)}, ${update(columns, set)}` })).toEqual([
      moved,
    ]);
  },
);

test('an insert preset of a partition is refused when an update rule of the parent can move rows into it', async () => {
  expect(await findingsOf({ ticket: update('status'), ticket_done: insert('id', by) })).toEqual([
    moved,
  ]);
});

test('an insert preset of a partitioned table is refused when an update rule can move rows between nested partitions', async () => {
  expect(await findingsOf({ ticket: insert('id', by), ticket_open: update('org') })).toEqual([
    moved.replace('public.ticket', 'public.ticket_open'),
  ]);
  expect(await findingsOf({ ticket: insert('id', by), ticket_open: update('status') })).toEqual([]);
});

test('an insert preset is allowed when updates have the same preset or cannot move rows', async () => {
  expect(await findingsOf({ ticket: `${insert('id', by)}, ${update('status', by)}` })).toEqual([]);
  expect(await findingsOf({ ticket: `${insert('id', by)}, ${update('state')}` })).toEqual([]);
  expect(await findingsOf({ plain: `${insert('id', by)}, ${update('status')}` })).toEqual([]);
});

test("a preset of the partition key is refused unless the column's default leads to the same partition", async () => {
  expect(await findingsOf({ ticket: insert('id', 'status: open, made: now') })).toEqual([
    'column "status" decides which partition of public.ticket a row is in, before clerk can have it set',
  ]);
});
