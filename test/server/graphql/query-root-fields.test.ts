import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';

const schema = `
create table author (id integer primary key, name text);
create table post (id integer primary key, author_id integer not null references author, title text);
create table draft (id integer primary key, note text);
create function posts_of(author_id integer) returns setof post stable language sql
  as 'select * from post where author_id = posts_of.author_id';
insert into author values (1, 'Ada'), (2, 'Bob');
insert into post values (1, 1, 'a'), (2, 1, 'b');
insert into draft values (1, 'x');
`;

const all = 'filter: {}, columns: "*", allow_aggregations: true';

const metadata = {
  'roles.yaml': `
roles:
  reader: {}
  lister: {}
  counter: {}
  nobody: {}
  lister_and_counter: { inherits: [lister, counter] }
  lister_and_reader: { inherits: [lister, reader] }
`,
  'tables/author.yaml': `
table: author
permissions:
  reader: { select: { ${all} } }
  lister: { select: { ${all}, query_root_fields: [select] } }
  counter: { select: { ${all}, query_root_fields: [select_aggregate] } }
`,
  'tables/post.yaml': `
table: post
permissions:
  reader:
    select: { ${all}, query_root_fields: [] }
    insert: { check: {}, columns: "*" }
`,
  'tables/draft.yaml': `
table: draft
permissions:
  nobody: { select: { ${all}, query_root_fields: [] } }
`,
  'functions/posts_of.yaml': 'function: posts_of\npermissions: [reader]\n',
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const root = '{ __schema { queryType { fields { name } } } }';

test.each([
  ['reader', ['author', 'author_aggregate', 'author_by_pk', 'posts_of', 'posts_of_aggregate']],
  ['lister', ['author']],
  ['counter', ['author_aggregate']],
  ['nobody', ['no_queries_available']],
  ['lister_and_counter', ['author', 'author_aggregate']],
  [
    'lister_and_reader',
    ['author', 'author_aggregate', 'author_by_pk', 'posts_of', 'posts_of_aggregate'],
  ],
  [
    'admin',
    [
      ...['author', 'author_aggregate', 'author_by_pk', 'draft', 'draft_aggregate', 'draft_by_pk'],
      ...['post', 'post_aggregate', 'post_by_pk', 'posts_of', 'posts_of_aggregate'],
    ],
  ],
])('the role %s has the root fields %j', async (role, names) => {
  const { data } = await gateway.ask(root, { role });
  const fields = names.map((name) => ({ name }));
  expect(data?.__schema.queryType.fields).toEqual(expect.arrayContaining(fields));
  expect(data?.__schema.queryType.fields).toHaveLength(fields.length);
});

test('a root field that query_root_fields of the rule does not list is refused like a nonexistent field', async () => {
  const ask = async (query: string) => errorOf(await gateway.ask(query, { role: 'lister' }));
  expect(await ask('{ author_by_pk(id: 1) { name } }')).toContain("'author_by_pk' not found in");
  expect(await ask('{ author_bypk(id: 1) { name } }')).toContain("'author_bypk' not found in");
});

test('rows of a table without query root fields can be read through relationships, functions and mutations', async () => {
  const asked = { role: 'reader' };
  const tables = '{ author(where: {posts: {title: {_eq: "a"}}}) { posts { title } } }';
  expect(await gateway.ask(tables, asked)).toEqual({
    data: { author: [{ posts: [{ title: 'a' }, { title: 'b' }] }] },
  });
  const functions = '{ posts_of(args: {author_id: 1}, where: {id: {_gt: 1}}) { author { name } } }';
  expect(await gateway.ask(functions, asked)).toEqual({
    data: { posts_of: [{ author: { name: 'Ada' } }] },
  });
  const mutation =
    'mutation { insert_post_one(object: {id: 3, author_id: 2, title: "c"}) { title author { name } } }';
  expect(await gateway.ask(mutation, asked)).toEqual({
    data: { insert_post_one: { title: 'c', author: { name: 'Bob' } } },
  });
});
