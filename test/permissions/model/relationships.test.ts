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

/** Returns the relationship "found" of a table whose file declares it with this text. */
async function found(table: string, written: string): Promise<Relationship | undefined> {
  const tables = ['org', 'person', 'passport', 'visit', 'rate', 'loose'].map((name) => {
    const more = name === table ? `relationships: { found: ${written} }\n` : '';
    return [`tables/${name}.yaml`, `table: ${name}\n${more}`] as const;
  });
  await made.rewrite({ 'roles.yaml': 'roles: {}\n', ...Object.fromEntries(tables) });
  const { model } = (await made.prepare()).loaded;
  return model.tables.get(`public.${table}`)?.relationships.get('found');
}

/** Describes a relationship like `object public.person org_id=org_id person_id=id, remote first`. */
function describeRelationship(one: Relationship | undefined): string {
  const pairs = one?.columns.map(({ local, remote }) => `${local}=${remote}`).join(' ');
  return `${one?.kind} ${one?.table} ${pairs}, ${one?.insertFirst} first`;
}

test.each([
  [
    'the foreign key of its own table over two columns',
    'visit',
    '{ columns: [org_id, person_id] }',
    'object public.person org_id=org_id person_id=id, remote first',
  ],
  [
    'the foreign key of its own table, in whatever order the file names the columns',
    'visit',
    '{ columns: [person_id, org_id], table: person, kind: object }',
    'object public.person org_id=org_id person_id=id, remote first',
  ],
  [
    'the foreign key of the other table over two columns',
    'person',
    '{ table: visit, columns: [org_id, person_id] }',
    'array public.visit org_id=org_id id=person_id, local first',
  ],
  [
    'the unique foreign key of the other table to a single row',
    'person',
    '{ table: passport, columns: [org_id, person_id], kind: object }',
    'object public.passport org_id=org_id id=person_id, local first',
  ],
  [
    'the foreign key of the other table to a single row, although it is not unique',
    'person',
    '{ table: visit, columns: [org_id, person_id], kind: object }',
    'object public.visit org_id=org_id id=person_id, local first',
  ],
  [
    'the foreign key of the other table over one column',
    'org',
    '{ table: person, column: org_id, kind: array }',
    'array public.person id=org_id, local first',
  ],
  [
    'a foreign key of a table to itself that is not unique',
    'person',
    '{ table: person, columns: [org_id, boss_id], kind: object }',
    'object public.person org_id=org_id boss_id=id, remote first',
  ],
  [
    'a unique foreign key of a table to itself, in reverse because the file names the table',
    'person',
    '{ table: person, columns: [org_id, twin_id], kind: object }',
    'object public.person org_id=org_id id=twin_id, local first',
  ],
  [
    'a unique foreign key of a table to itself, forward because the file does not name the table',
    'person',
    '{ columns: [org_id, twin_id] }',
    'object public.person org_id=org_id twin_id=id, remote first',
  ],
])('a relationship declared by columns follows %s', async (_title, table, written, expected) => {
  expect(describeRelationship(await found(table, written))).toBe(expected);
});

test.each([
  [
    'writes the other row first if there is no foreign key',
    'loose',
    '{ table: rate, columns: { code: code }, kind: object }',
    'object public.rate code=code, remote first',
  ],
  [
    'writes its own row first if insertion_order says so',
    'loose',
    '{ table: rate, columns: { code: code }, kind: object, insertion_order: after_parent }',
    'object public.rate code=code, local first',
  ],
  [
    'joins over two columns',
    'visit',
    '{ table: passport, columns: { org_id: org_id, person_id: person_id }, kind: object }',
    'object public.passport org_id=org_id person_id=person_id, remote first',
  ],
  [
    'writes its own row first if the other table has the foreign key',
    'person',
    '{ table: passport, columns: { id: person_id, org_id: org_id }, kind: object }',
    'object public.passport id=person_id org_id=org_id, local first',
  ],
  [
    'writes the other row first if its own table has the foreign key',
    'passport',
    '{ table: person, columns: { person_id: id, org_id: org_id }, kind: object }',
    'object public.person person_id=id org_id=org_id, remote first',
  ],
  [
    'writes its own row first if it leads to several rows',
    'rate',
    '{ table: loose, columns: { code: code }, kind: array }',
    'array public.loose code=code, local first',
  ],
])('a relationship with pairs of columns %s', async (_title, table, written, expected) => {
  expect(describeRelationship(await found(table, written))).toBe(expected);
});

test.each([
  [
    'along a foreign key whose columns cannot be null',
    'passport',
    '{ columns: [org_id, person_id] }',
    true,
  ],
  [
    'along a foreign key whose columns can be null',
    'visit',
    '{ columns: [org_id, person_id] }',
    false,
  ],
  ['along a foreign key that is not validated yet', 'rate', '{ column: later_id }', false],
  [
    'along the foreign key of the other table',
    'person',
    '{ table: passport, columns: [org_id, person_id], kind: object }',
    false,
  ],
  [
    'along pairs of columns instead of a foreign key',
    'passport',
    '{ table: person, columns: { person_id: id, org_id: org_id }, kind: object }',
    false,
  ],
])(
  'a relationship %s is non-null in GraphQL only if Postgres guarantees the related row',
  async (_title, table, written, isCertain) => {
    expect((await found(table, written))?.isCertain).toBe(isCertain);
  },
);

test('default relationships record which of the two rows a nested insert writes first', async () => {
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
