import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Relationship } from '../../../permissions/types/tables.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const schema = `
create table org (id integer primary key);
create table person (
  org_id integer references org, id integer, boss_id integer, twin_id integer,
  primary key (org_id, id),
  constraint boss foreign key (org_id, boss_id) references person,
  constraint twin foreign key (org_id, twin_id) references person, unique (org_id, twin_id)
);
create table passport (
  org_id integer not null, person_id integer not null, number text primary key,
  foreign key (org_id, person_id) references person, unique (org_id, person_id)
);
create table visit (
  id integer primary key, org_id integer, person_id integer,
  foreign key (org_id, person_id) references person
);
create table rate (code text primary key, org_id integer, later_id integer not null);
alter table rate add foreign key (later_id) references org not valid;
create table loose (id integer primary key, code text);
`;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: {} });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** The relationship "found" of a table whose file declares it with this text. */
async function found(table: string, written: string): Promise<Relationship | undefined> {
  const tables = ['org', 'person', 'passport', 'visit', 'rate', 'loose'].map((name) => {
    const more = name === table ? `relationships: { found: ${written} }\n` : '';
    return [`tables/${name}.yaml`, `table: ${name}\n${more}`] as const;
  });
  await made.rewrite({ 'roles.yaml': 'roles: {}\n', ...Object.fromEntries(tables) });
  const { model } = (await made.prepare()).loaded;
  return model.tables.get(`public.${table}`)?.relationships.get('found');
}

/** `object public.person org_id=org_id person_id=id, remote first` */
function describeRelationship(one: Relationship | undefined): string {
  const pairs = one?.columns.map(({ local, remote }) => `${local}=${remote}`).join(' ');
  return `${one?.kind} ${one?.table} ${pairs}, ${one?.insertFirst} first`;
}

test.each([
  [
    'its own key of two columns',
    'visit',
    '{ columns: [org_id, person_id] }',
    'object public.person org_id=org_id person_id=id, remote first',
  ],
  [
    'its own key, whichever column is named first',
    'visit',
    '{ columns: [person_id, org_id], table: person, kind: object }',
    'object public.person org_id=org_id person_id=id, remote first',
  ],
  [
    "the other table's key of two columns",
    'person',
    '{ table: visit, columns: [org_id, person_id] }',
    'array public.visit org_id=org_id id=person_id, local first',
  ],
  [
    "the other table's unique key, to one row",
    'person',
    '{ table: passport, columns: [org_id, person_id], kind: object }',
    'object public.passport org_id=org_id id=person_id, local first',
  ],
  [
    "the other table's key that is not unique, to one row",
    'person',
    '{ table: visit, columns: [org_id, person_id], kind: object }',
    'object public.visit org_id=org_id id=person_id, local first',
  ],
  [
    "the other table's key of one column",
    'org',
    '{ table: person, column: org_id, kind: array }',
    'array public.person id=org_id, local first',
  ],
  [
    'a key to the own table that is not unique',
    'person',
    '{ table: person, columns: [org_id, boss_id], kind: object }',
    'object public.person org_id=org_id boss_id=id, remote first',
  ],
  [
    'a unique key to the own table, in reverse if the file names the table',
    'person',
    '{ table: person, columns: [org_id, twin_id], kind: object }',
    'object public.person org_id=org_id id=twin_id, local first',
  ],
  [
    'a unique key to the own table, forward if the file does not name the table',
    'person',
    '{ columns: [org_id, twin_id] }',
    'object public.person org_id=org_id twin_id=id, remote first',
  ],
])('a relationship follows %s', async (_title, table, written, expected) => {
  expect(describeRelationship(await found(table, written))).toBe(expected);
});

test.each([
  [
    'without a foreign key, the other row first',
    'loose',
    '{ table: rate, columns: { code: code }, kind: object }',
    'object public.rate code=code, remote first',
  ],
  [
    'as the file says, its own row first',
    'loose',
    '{ table: rate, columns: { code: code }, kind: object, insertion_order: after_parent }',
    'object public.rate code=code, local first',
  ],
  [
    'over two columns',
    'visit',
    '{ table: passport, columns: { org_id: org_id, person_id: person_id }, kind: object }',
    'object public.passport org_id=org_id person_id=person_id, remote first',
  ],
  [
    "in the direction of the other table's key, its own row first",
    'person',
    '{ table: passport, columns: { id: person_id, org_id: org_id }, kind: object }',
    'object public.passport id=person_id org_id=org_id, local first',
  ],
  [
    'in the direction of its own key, the other row first',
    'passport',
    '{ table: person, columns: { person_id: id, org_id: org_id }, kind: object }',
    'object public.person person_id=id org_id=org_id, remote first',
  ],
  [
    'to several rows, its own row first',
    'rate',
    '{ table: loose, columns: { code: code }, kind: array }',
    'array public.loose code=code, local first',
  ],
])('a manual relationship goes %s', async (_title, table, written, expected) => {
  expect(describeRelationship(await found(table, written))).toBe(expected);
});

test.each([
  ['a key of columns that hold no null', 'passport', '{ columns: [org_id, person_id] }', true],
  ['a key of columns that may hold null', 'visit', '{ columns: [org_id, person_id] }', false],
  ['a key that is not valid yet', 'rate', '{ column: later_id }', false],
  [
    "the other table's key",
    'person',
    '{ table: passport, columns: [org_id, person_id], kind: object }',
    false,
  ],
  [
    'columns by hand',
    'passport',
    '{ table: person, columns: { person_id: id, org_id: org_id }, kind: object }',
    false,
  ],
])(
  'along %s a related row is certain only if Postgres guarantees it',
  async (_title, table, written, isCertain) => {
    expect((await found(table, written))?.isCertain).toBe(isCertain);
  },
);

test('default relationships know which row a nested insert writes first', async () => {
  await found('org', '{ table: person, column: org_id }');
  const { tables } = (await made.prepare()).loaded.model;
  const orders = [...(tables.get('public.person')?.relationships.values() ?? [])].map(
    ({ name, kind, insertFirst }) => `${kind} ${name} ${insertFirst}`,
  );
  expect(orders.sort()).toEqual([
    'array persons_by_org_id_boss_id local',
    'array visits local',
    'object org remote',
    'object passport local',
    'object person remote',
    'object person_by_org_id_twin_id local',
  ]);
});
