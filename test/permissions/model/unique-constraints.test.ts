import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TableModel } from '../../../permissions/types/tables.ts';
import { makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const schema = `
create table booking (
  b integer, a integer, code text unique, late integer unique deferrable, room integer, during int4range,
  constraint zz_key primary key (b, a),
  constraint "Pair" unique (room, code),
  exclude using gist (during with &&)
);
create table single (id integer unique nulls not distinct);
create unique index merely_an_index on booking (room);
create table part (id integer, year integer, primary key (id, year)) partition by list (year);
create table part_1 partition of part for values in (1);
create function rewrite() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger rewrite before insert or update on part_1 for each row execute function rewrite();
create table watched (id integer primary key);
create trigger tell after insert on watched for each row execute function rewrite();
create trigger early before insert on watched for each statement execute function rewrite();
create trigger change before update on watched for each row execute function rewrite();
`;

const rules = {
  'roles.yaml': 'roles: { writer: {} }\n',
  'tables/booking.yaml': `
table: booking
permissions: { writer: { insert: { check: {}, columns: [b, a], set: { code: x } } } }
`,
  'tables/part.yaml': 'table: part\n',
  'tables/watched.yaml': 'table: watched\n',
  'tables/single.yaml': 'table: single\n',
};

let tables: ReadonlyMap<string, TableModel>;
beforeAll(async () => {
  const made = await makeInstallation({ schema, rules });
  await made.apply();
  tables = (await made.prepare()).loaded.model.tables;
  await made.drop();
});
afterAll(removeMetadata);

test('the model lists the unique constraints that on conflict can name, without deferrable constraints and plain indexes', () => {
  expect(tables.get('public.booking')?.uniqueConstraints).toEqual([
    { name: 'Pair', columns: ['room', 'code'], nullsDistinct: true },
    { name: 'booking_code_key', columns: ['code'], nullsDistinct: true },
    { name: 'zz_key', columns: ['b', 'a'], nullsDistinct: true },
  ]);
  expect(tables.get('public.part')?.uniqueConstraints).toEqual([
    { name: 'part_pkey', columns: ['id', 'year'], nullsDistinct: true },
  ]);
});

test('the model marks a unique constraint in which two nulls conflict', () => {
  expect(tables.get('public.single')?.uniqueConstraints).toEqual([
    { name: 'single_id_key', columns: ['id'], nullsDistinct: false },
  ]);
});

test('the model marks tables with user-defined before insert row triggers, on partitions too, but not preset triggers', () => {
  const triggered = [...tables].map(([key, { hasInsertTriggers }]) => [key, hasInsertTriggers]);
  expect(Object.fromEntries(triggered)).toEqual({
    'public.booking': false,
    'public.part': true,
    'public.single': false,
    'public.watched': false,
  });
});
