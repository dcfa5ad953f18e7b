import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Model } from '../../../permissions/types/model.ts';
import type { TableModel } from '../../../permissions/types/tables.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const schema = `
create schema billing;
create table author (id integer primary key, first text, last text, note text);
comment on table author is 'Who writes';
comment on column author.first is 'The first name';
comment on column author.note is 'Not shown';
create table author_aggregate (id integer primary key, id_2 integer, "id 2" integer);
create table tag (id integer primary key);
create function one(tag) returns integer language sql stable as 'select 1';
create function two(tag) returns integer language sql stable as 'select 2';
comment on function two(tag) is 'Always two';
create table billing.invoice (id integer primary key);
comment on table billing.invoice is 'A bill';
`;

const others = {
  'tables/tag.yaml': `
table: tag
graphql: { description: '' }
computed_fields:
  first: { function: one }
  second: { function: two }
  third: { function: two, description: '' }
`,
  'tables/author_aggregate.yaml':
    'table: author_aggregate\ngraphql: { name: Sum, columns: { "id 2": third } }\n',
};

const author = `
table: author
graphql:
  name: Author
  columns:
    first: last
    last: first
    note: { description: '' }
  root_fields:
    select: { name: authors, description: All of them }
    insert_one: { name: addAuthor, description: '' }
    delete: { description: '' }
permissions:
  member:
    insert: { check: { first: { _eq: x } }, columns: [last], backend_only: true }
    update: { filter: {}, columns: [first] }
    delete: { filter: {}, backend_only: true }
`;

let made: Installation;
let model: Model;
beforeAll(async () => {
  const rules = {
    'roles.yaml': 'roles: { member: {} }\n',
    'tables/author.yaml': author,
    'tables/invoice.yaml': 'table: billing.invoice\ngraphql: { description: Owed }\n',
    ...others,
  };
  made = await makeInstallation({ schema, rules });
  model = (await made.prepare()).loaded.model;
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

function table(key: string): TableModel {
  const found = model.tables.get(key);
  expect(found).toBeDefined();
  return found as TableModel;
}

test('GraphQL root fields are named after the GraphQL name of the table unless its file names them', () => {
  expect(table('public.author').graphqlName).toBe('Author');
  expect(table('public.author').rootFields).toEqual({
    select: 'authors',
    select_by_pk: 'Author_by_pk',
    select_stream: 'Author_stream',
    select_aggregate: 'Author_aggregate',
    insert: 'insert_Author',
    insert_one: 'addAuthor',
    update: 'update_Author',
    update_by_pk: 'update_Author_by_pk',
    update_many: 'update_Author_many',
    delete: 'delete_Author',
    delete_by_pk: 'delete_Author_by_pk',
  });
});

test('GraphQL names of a table outside schema public begin with its schema', () => {
  const { graphqlName, rootFields } = table('billing.invoice');
  expect(graphqlName).toBe('billing_invoice');
  expect(rootFields.update_many).toBe('update_billing_invoice_many');
});

test('the GraphQL names of two columns of a table may be swapped', () => {
  const names = [...table('public.author').columns.values()].map((one) => one.graphqlName);
  expect(names).toEqual(['id', 'last', 'first', 'note']);
});

test('GraphQL descriptions are the comments in the database unless the table file has others', () => {
  const descriptions = [...table('public.author').columns.values()].map((one) => one.description);
  expect(table('public.author').description).toBe('Who writes');
  expect(descriptions).toEqual([undefined, 'The first name', undefined, undefined]);
  expect(table('billing.invoice').description).toBe('Owed');
});

test('a table without a comment gets a generic GraphQL description unless its file has an empty one', () => {
  expect(table('public.author_aggregate').description).toBe(
    'columns and relationships of "author_aggregate"',
  );
  expect(table('public.tag').description).toBeUndefined();
});

test('a computed field is described by the comment of its function unless the table file has another text', () => {
  const fields = [...table('public.tag').computedFields.values()];
  expect(fields.map((one) => one.description)).toEqual([
    'A computed field, executes function "one"',
    'Always two',
    undefined,
  ]);
});

test('a GraphQL root field is described by its operation unless the table file has another text', () => {
  const own = table('public.author').rootDescriptions;
  expect([own.select, own.insert_one, own.delete]).toEqual(['All of them', undefined, undefined]);
  expect(own.update).toBe('update data of the table: "author"');
  expect(table('billing.invoice').rootDescriptions.select_by_pk).toBe(
    'fetch data from the table: "billing.invoice" using primary key columns',
  );
});

test('rules name columns by their names in the database, even where GraphQL swaps them', () => {
  const rules = model.roles.get('member')?.tables.get('public.author');
  expect(rules?.insert?.check).toMatchObject({ kind: 'compare', column: { column: 'first' } });
  expect(rules?.insert?.columns).toEqual(['last']);
  expect(rules?.update?.columns).toEqual(['first']);
});

test("a rule requires the backend only if its file sets backend_only, and the admin's rules never require it", () => {
  const rules = model.roles.get('member')?.tables.get('public.author');
  const { insert, update, delete: remove } = rules ?? {};
  expect([insert, update, remove].map((rule) => rule?.backendOnly)).toEqual([true, false, true]);
  const admin = model.roles.get('admin')?.tables.get('public.author');
  expect(admin?.insert?.backendOnly).toBe(false);
});

test('two tables with conflicting GraphQL names are accepted after the file renames one of them', async () => {
  await made.rewrite({
    'roles.yaml': 'roles: {}\n',
    'tables/author.yaml': 'table: author\n',
    'tables/other.yaml':
      "table: author_aggregate\ngraphql: { name: Sum, columns: { 'id 2': third } }\n",
  });
  const { tables } = (await made.prepare()).loaded.model;
  expect([...tables.values()].map((one) => one.graphqlName)).toEqual(['author', 'Sum']);
});

test('comments and descriptions do not change the fingerprint of the metadata', async () => {
  await made.owner.query(`comment on column author.last is 'New'; comment on table author is null`);
  await made.rewrite({
    'roles.yaml': 'roles: { member: {} }\n',
    'tables/author.yaml': author,
    'tables/invoice.yaml': 'table: billing.invoice\n',
    ...others,
  });
  expect((await made.prepare()).loaded.model.fingerprint).toBe(model.fingerprint);
});

test('a GraphQL name changes the fingerprint of the metadata', async () => {
  await made.rewrite({
    'roles.yaml': 'roles: { member: {} }\n',
    'tables/author.yaml': author.replace('addAuthor', 'newAuthor'),
    'tables/invoice.yaml': 'table: billing.invoice\ngraphql: { description: Owed }\n',
    ...others,
  });
  expect((await made.prepare()).loaded.model.fingerprint).not.toBe(model.fingerprint);
});

test('the payload of a cron webhook changes the fingerprint, even in a member called description', async () => {
  const fingerprintOf = async (text: string) => {
    await made.rewrite({
      'roles.yaml': 'roles: {}\n',
      'cron.yaml': `hook: { schedule: '0 8 * * *', webhook: /w, payload: { description: ${text} } }\n`,
    });
    return (await made.prepare()).loaded.model.fingerprint;
  };
  expect(await fingerprintOf('one')).not.toBe(await fingerprintOf('other'));
});
