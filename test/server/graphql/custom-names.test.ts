import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';

const schema = `
create table author (author_id integer primary key, first text not null, last text, secret text);
comment on table author is 'Who writes';
comment on column author.first is 'The first name';
create table post (
  author_id integer references author, no integer, title text, score integer, tags jsonb,
  primary key (author_id, no)
);
comment on table post is 'Not shown';
insert into author values (1, 'Ada', 'Byron', 's'), (2, 'Bob', 'Ash', 's'), (3, 'Cy', null, 's');
insert into post values (1, 1, 'a', 5, '{"k": 1}'), (1, 2, 'b', 7, null), (2, 1, 'c', 1, null);
`;

const metadata = {
  'roles.yaml': 'roles: { reader: {}, counter: {} }\n',
  'tables/author.yaml': `
table: author
graphql:
  name: Author
  columns:
    author_id: id
    first: { name: last, description: Their given name }
    last: first
  root_fields:
    select: { name: authors, description: Everybody }
    select_aggregate: countAuthors
    insert_one: { description: '' }
permissions:
  reader:
    select: { filter: { last: { _is_null: false } }, columns: [author_id, first, last], allow_aggregations: true }
  counter:
    select: { filter: {}, columns: [], allow_aggregations: true }
`,
  'tables/post.yaml': `
table: post
graphql:
  name: Article
  description: ''
  columns: { author_id: writer, no: number, score: points, tags: labels }
  root_fields: { select_by_pk: article }
permissions:
  reader: { select: { filter: {}, columns: '*', allow_aggregations: true } }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

async function read(query: string, role = 'reader'): Promise<unknown> {
  return dataOf(await gateway.ask(query, { role }));
}

describe('custom names of columns (from the metadata)', () => {
  test('are the names of fields, even if two columns have swapped names', async () => {
    expect(await read('{ authors(order_by: { id: asc }) { id first last __typename } }')).toEqual({
      authors: [
        { id: 1, first: 'Byron', last: 'Ada', __typename: 'Author' },
        { id: 2, first: 'Ash', last: 'Bob', __typename: 'Author' },
      ],
    });
  });

  test('are used in where', async () => {
    const where = '{ _or: [{ last: { _eq: "Ada" } }, { first: { _like: "A%" } }] }';
    expect(await read(`{ authors(where: ${where}, order_by: { id: asc }) { id } }`)).toEqual({
      authors: [{ id: 1 }, { id: 2 }],
    });
    expect(
      await read('{ Article(where: { labels: { _has_key: "k" } }) { writer number labels } }'),
    ).toEqual({ Article: [{ writer: 1, number: 1, labels: { k: 1 } }] });
  });

  test('are used in where inside variables', async () => {
    const query = 'query ($where: Author_bool_exp!) { authors(where: $where) { id } }';
    const answer = await gateway.ask(query, {
      role: 'reader',
      with: { where: { first: { _eq: 'Ash' } } },
    });
    expect(answer).toEqual({ data: { authors: [{ id: 2 }] } });
  });

  test('are used in order_by and distinct_on', async () => {
    expect(
      await read(
        '{ Article(distinct_on: writer, order_by: [{ writer: desc }, { points: desc }]) { title } }',
      ),
    ).toEqual({ Article: [{ title: 'c' }, { title: 'b' }] });
    expect(await read('{ authors(order_by: { first: asc }) { id } }')).toEqual({
      authors: [{ id: 2 }, { id: 1 }],
    });
  });

  test('are the names of arguments of by_pk and pk_columns', async () => {
    expect(await read('{ article(writer: 1, number: 2) { title } }')).toEqual({
      article: { title: 'b' },
    });
    expect(await read('{ Author_by_pk(id: 2) { last } }')).toEqual({
      Author_by_pk: { last: 'Bob' },
    });
  });

  test('are used in aggregates', async () => {
    expect(
      await read(
        '{ Article_aggregate { aggregate { count(columns: labels) sum { points } max { title number } } nodes { points } } }',
      ),
    ).toEqual({
      Article_aggregate: {
        aggregate: { count: 1, sum: { points: 13 }, max: { title: 'c', number: 2 } },
        nodes: [{ points: 5 }, { points: 7 }, { points: 1 }],
      },
    });
  });
});

describe('custom names of tables (from the metadata)', () => {
  test('do not change relationships to these tables', async () => {
    expect(
      await read(
        `{ authors(where: { posts: { points: { _gt: 6 } } }, order_by: { posts_aggregate: { max: { points: desc } } }) {
          posts(order_by: { number: desc }) { title author { last } }
          posts_aggregate { aggregate { avg { points } } }
        } }`,
      ),
    ).toEqual({
      authors: [
        {
          posts: [
            { title: 'b', author: { last: 'Ada' } },
            { title: 'a', author: { last: 'Ada' } },
          ],
          posts_aggregate: { aggregate: { avg: { points: 6 } } },
        },
      ],
    });
  });

  test('are the names of root fields and types, and the names of the database are no longer valid', async () => {
    const { __schema } = (await read(
      '{ __schema { queryType { fields { name } } types { name } } }',
    )) as {
      __schema: {
        queryType: { fields: { name: string }[] };
        types: { name: string }[];
      };
    };
    expect(__schema.queryType.fields.map(({ name }) => name)).toEqual([
      'Article',
      'Article_aggregate',
      'Author_by_pk',
      'article',
      'authors',
      'countAuthors',
    ]);
    const types = __schema.types.map(({ name }) => name);
    expect(types).toEqual(
      expect.arrayContaining(['Author', 'Author_bool_exp', 'Article_max_fields']),
    );
    expect(types.filter((name) => /^(author|post)/.test(name))).toEqual([]);
  });

  test.each(['Author', 'Author_aggregate', 'Article_by_pk', 'author', 'post'])(
    'replace the root field %s when the metadata gives other names to the root fields',
    async (name) => {
      const answer = await gateway.ask(`{ ${name} { id } }`, { role: 'reader' });
      expect(errorOf(answer)).toBe(
        `validation-failed $.selectionSet.${name} field '${name}' not found in type: 'query_root'; it does not exist or role "reader" has no permission for it`,
      );
    },
  );

  test('appear in error messages and paths instead of the names of the database', async () => {
    const answer = await gateway.ask('{ authors { author_id } }', { role: 'reader' });
    expect(errorOf(answer)).toContain("field 'author_id' not found in type: 'Author'");
  });

  test('are used for a role that may only count', async () => {
    expect(await read('{ countAuthors { aggregate { count } } }', 'counter')).toEqual({
      countAuthors: { aggregate: { count: 3 } },
    });
  });
});

test('introspection shows descriptions of columns and tables from the metadata, or else their comments in Postgres', async () => {
  const type = (name: string) =>
    `__type(name: "${name}") { description fields { name description } }`;
  const data = (await read(`{ author: ${type('Author')} article: ${type('Article')} }`)) as Record<
    string,
    { description: string | null; fields: { name: string; description: string | null }[] }
  >;
  expect(data.author?.description).toBe('Who writes');
  expect(data.article?.description).toBeNull();
  const described = data.author?.fields.filter(({ description }) => description !== null);
  expect(described).toEqual([{ name: 'last', description: 'Their given name' }]);
});

test('introspection describes root fields, with descriptions from the metadata if present', async () => {
  const { data } = await gateway.ask(
    '{ q: __type(name: "query_root") { fields { name description } } m: __type(name: "mutation_root") { fields { name description } } }',
  );
  const fields = [...data.q.fields, ...data.m.fields];
  for (const expected of [
    { name: 'authors', description: 'Everybody' },
    { name: 'countAuthors', description: 'fetch aggregated fields from the table: "author"' },
    { name: 'article', description: 'fetch data from the table: "post" using primary key columns' },
    { name: 'insert_Author', description: 'insert data into the table: "author"' },
    { name: 'insert_Author_one', description: null },
  ]) {
    expect(fields).toContainEqual(expected);
  }
});
