import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const rules = {
  'roles.yaml': 'roles: { writer: {} }\n',
  'tables/entry.yaml': `
table: entry
permissions:
  writer:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, set: { created_by: X-Gql-User-Id }, columns: [id] }
`,
};
const schema = `
create table entry (id integer primary key, created_by text) partition by range (id);
create table entry_low partition of entry for values from (0) to (10) partition by range (id);
create table entry_lowest partition of entry_low for values from (0) to (5);
create table entry_high partition of entry for values from (10) to (20);`;

let made: Installation;
beforeAll(async () => {
  made = await install({ schema, rules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

beforeEach(() => made.owner.query('delete from entry'));

const insert = 'insert into public.entry (id) values (1) returning created_by';

test('a preset of the parent table fills its column in a row of a partition', async () => {
  expect((await made.ask('writer', { user_id: 'ann' }, insert)).rows).toEqual([['ann']]);
});

test.each(['entry_lowest', 'entry_low', 'entry_high'])(
  'apply repairs a preset trigger that was disabled only on partition %s',
  async (partition) => {
    await made.owner.query(`alter table ${partition} disable trigger "!rowgate/preset"`);
    expect(await made.pending()).toEqual(['replace trigger !rowgate/preset on public.entry']);
    await made.apply();
    expect(await made.pending()).toEqual([]);
    expect((await made.ask('writer', { user_id: 'ann' }, insert)).rows).toEqual([['ann']]);
  },
);

test('a partition attached after apply also fills the preset column', async () => {
  await made.owner.query('create table entry_top partition of entry for values from (20) to (30)');
  const { rows } = await made.ask('writer', { user_id: 'ann' }, insert.replace('1', '21'));
  await made.owner.query('drop table entry_top');
  expect(rows).toEqual([['ann']]);
});
