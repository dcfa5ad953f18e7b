import { afterAll, expect, test } from 'vitest';
import { makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

afterAll(removeMetadata);

const schema = `
create table booking (
  b integer, a integer, code text unique, late integer unique deferrable, room integer, during int4range,
  constraint zz_key primary key (b, a),
  constraint "Pair" unique (room, code),
  exclude using gist (during with &&)
);
create unique index merely_an_index on booking (room);
create table part (id integer, year integer, primary key (id, year)) partition by list (year);
create table part_1 partition of part for values in (1);
`;

test('constraints that on conflict can name are told by name, with their columns in order', async () => {
  const rules = {
    'roles.yaml': 'roles: {}\n',
    'tables/booking.yaml': 'table: booking\n',
    'tables/part.yaml': 'table: part\n',
  };
  const made = await makeInstallation({ schema, rules });
  const { tables } = (await made.prepare()).loaded.model;
  await made.drop();
  expect(tables.get('public.booking')?.uniqueConstraints).toEqual([
    { name: 'Pair', columns: ['room', 'code'] },
    { name: 'booking_code_key', columns: ['code'] },
    { name: 'zz_key', columns: ['b', 'a'] },
  ]);
  expect(tables.get('public.part')?.uniqueConstraints).toEqual([
    { name: 'part_pkey', columns: ['id', 'year'] },
  ]);
});
