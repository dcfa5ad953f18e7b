import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, headersOf, startGateway } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const data = async (query: string, ask = {}) => {
  return dataOf(await gateway.ask(query, ask));
};

test('a field that a document selects several times appears once in the answer, with all selected subfields', async () => {
  const query = `{
    author_by_pk(id: 1) { name articles(order_by: {id: asc}) { id } }
    ...more
    ... on query_root { author_by_pk(id: 1) { articles(order_by: {id: asc}) { author { id } } } }
  }
  fragment more on query_root { author_by_pk(id: 1) { id ...row } }
  fragment row on author { articles(order_by: {id: asc}) { title } }`;
  expect(await data(query)).toEqual({
    author_by_pk: {
      name: 'Ada',
      articles: [
        { id: 1, title: 'Alpha', author: { id: 1 } },
        { id: 2, title: 'Beta', author: { id: 1 } },
      ],
      id: 1,
    },
  });
});

test('an answer has its fields in the order of the selection', async () => {
  const response = await gateway.send({
    headers: headersOf({}),
    body: JSON.stringify({
      query:
        '{ z: author_by_pk(id: 1) { name a: rank id } __typename a: author_by_pk(id: 2) { id } }',
    }),
  });
  expect(await response.text()).toBe(
    '{"data":{"z":{"name":"Ada","a":1,"id":1},"__typename":"query_root","a":{"id":2}}}',
  );
});

test('__typename works at every level', async () => {
  const query = `{ __typename author_by_pk(id: 1) {
    __typename organization { __typename } articles(limit: 1) { t: __typename }
  } }`;
  expect(await data(query)).toEqual({
    __typename: 'query_root',
    author_by_pk: {
      __typename: 'author',
      organization: { __typename: 'organization' },
      articles: [{ t: 'article' }],
    },
  });
});

test('an alias may be longer than the 63 bytes of a Postgres identifier', async () => {
  const long = 'a'.repeat(80);
  const query = `{ ${long}: author_by_pk(id: 1) {
    ${long}1: name ${long}2: id
    ${long}3: articles(order_by: {id: asc}) { ${long}4: id }
    ${long}5: articles_aggregate { ${long}6: aggregate { ${long}7: count } }
  } }`;
  expect(await data(query)).toEqual({
    [long]: {
      [`${long}1`]: 'Ada',
      [`${long}2`]: 1,
      [`${long}3`]: [{ [`${long}4`]: 1 }, { [`${long}4`]: 2 }],
      [`${long}5`]: { [`${long}6`]: { [`${long}7`]: 2 } },
    },
  });
});

test('a selection may have more fields than a Postgres function may have arguments', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `${'b'.repeat(70)}${index}`);
  const { author_by_pk: row } = await data(
    `{ author_by_pk(id: 1) { ${names.map((name) => `${name}: id`).join(' ')} } }`,
  );
  expect(row).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
});

describe('the directives @include and @skip', () => {
  const query = `query ($yes: Boolean!, $no: Boolean = false) {
    a: author_by_pk(id: 1) @include(if: $yes) { id name @skip(if: $yes) rank @include(if: $no) }
    b: author_by_pk(id: 2) @skip(if: true) { id }
    ... @include(if: $no) { c: author_by_pk(id: 3) { id } }
    ...d @skip(if: $no)
  }
  fragment d on query_root { d: author_by_pk(id: 3) { id } }`;

  test('exclude fields and fragments', async () => {
    expect(await data(query, { with: { yes: true } })).toEqual({ a: { id: 1 }, d: { id: 3 } });
  });

  test('with variables are evaluated again for each request', async () => {
    expect(await data(query, { with: { yes: false, no: true } })).toEqual({ c: { id: 3 } });
    expect(await data(query, { with: { yes: true, no: true } })).toEqual({
      a: { id: 1, rank: 1 },
      c: { id: 3 },
    });
    expect(await data(query, { with: { yes: true } })).toEqual({ a: { id: 1 }, d: { id: 3 } });
  });

  test('may exclude all fields, which leaves an empty object', async () => {
    expect(await data('{ author @skip(if: true) { id } }')).toEqual({});
    expect(await data('{ author_by_pk(id: 1) { id @skip(if: true) } }')).toEqual({
      author_by_pk: {},
    });
  });

  test('may exclude all fields of a list with distinct_on, which then returns empty objects', async () => {
    const query = '{ article(distinct_on: published, limit: 2) { id @skip(if: true) } }';
    expect(await data(query)).toEqual({ article: [{}, {}] });
  });
});

describe('GraphQL variables', () => {
  test('without a value have the default declared in the document', async () => {
    const query = `query ($id: Int = 2, $where: author_bool_exp = {id: {_eq: 3}}) {
      author_by_pk(id: $id) { name } author(where: $where) { name }
    }`;
    expect(await data(query)).toEqual({ author_by_pk: { name: 'Bob' }, author: [{ name: 'Cy' }] });
    expect(await data(query, { with: { id: 1, where: {} } })).toMatchObject({
      author_by_pk: { name: 'Ada' },
      author: [{}, {}, {}],
    });
  });

  test('may be the values of limit and offset', async () => {
    const query = `query ($l: Int, $o: Int) {
      article(order_by: {id: asc}, limit: $l, offset: $o) { id }
    }`;
    const ids = async (variables: object) =>
      (await data(query, { with: variables })).article.map((row: { id: number }) => row.id);
    expect(await ids({ l: 2, o: 1 })).toEqual([2, 3]);
    expect(await ids({ l: 1, o: 3 })).toEqual([4]);
    expect(await ids({ l: 2, o: '4' })).toEqual([5]);
    expect(await ids({ l: null })).toEqual([1, 2, 3, 4, 5]);
    expect(await ids({})).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([
    ['Int', 'limit: $x', 2, [1, 2]],
    ['Int', 'offset: $x', 3, [4, 5]],
    ['[article_order_by!]', 'order_by: $x', [{ id: 'desc' }], [5, 4, 3, 2, 1]],
    ['order_by', 'order_by: {id: $x}', 'desc', [5, 4, 3, 2, 1]],
    ['author_order_by', 'order_by: [{author: $x}, {id: asc}]', { id: 'desc' }, [5, 4, 3, 1, 2]],
    ['[article_select_column!]', 'distinct_on: $x', ['published'], [2, 1]],
  ])(
    'of type %s are ignored if null, before and after requests with a value for the same document',
    async (type, use, value, expected) => {
      const query = `query ($x: ${type}) { article(${use}) { id } }`;
      const ids = async (x: unknown) =>
        (await data(query, { with: { x } })).article.map((row: { id: number }) => row.id);
      expect(await ids(null)).toEqual([1, 2, 3, 4, 5]);
      expect(await ids(value)).toEqual(expected);
      expect(await ids(null)).toEqual([1, 2, 3, 4, 5]);
    },
  );

  test('may be sent although the document does not declare them, or declared although it does not use them', async () => {
    const query = 'query ($unused: jsonb) { author_by_pk(id: 1) { id } }';
    expect(await data(query, { with: { other: 1 } })).toEqual({ author_by_pk: { id: 1 } });
  });

  test('may appear in fragments', async () => {
    const query = `query ($id: Int!) { ...f }
      fragment f on query_root { author_by_pk(id: $id) { name } }`;
    expect(await data(query, { with: { id: 3 } })).toEqual({ author_by_pk: { name: 'Cy' } });
  });
});

test('operationName selects one of several operations', async () => {
  const query = 'query a { author_by_pk(id: 1) { id } } query b { author_by_pk(id: 2) { id } }';
  expect(await data(query, { operationName: 'b' })).toEqual({ author_by_pk: { id: 2 } });
  expect(await data(query, { operationName: 'a' })).toEqual({ author_by_pk: { id: 1 } });
});

describe('introspection', () => {
  test('fields such as __schema appear among table fields in the order of the selection', async () => {
    const response = await gateway.send({
      headers: headersOf({}),
      body: JSON.stringify({
        query: `query ($type: String!, $id: Int!) {
          first: author_by_pk(id: $id) { id }
          __type(name: $type) { ...t }
          last: author_by_pk(id: 2) { id }
        }
        fragment t on __Type { name kind }`,
        variables: { type: 'author', id: 1 },
      }),
    });
    expect(await response.text()).toBe(
      '{"data":{"first":{"id":1},"__type":{"name":"author","kind":"OBJECT"},"last":{"id":2}}}',
    );
  });

  test('shows comments on tables and columns in Postgres as descriptions', async () => {
    const query = `{ __type(name: "organization") {
      description fields { name description }
    } }`;
    const { __type: type } = await data(query);
    expect(type.description).toBe('A tenant');
    expect(type.fields).toContainEqual({ name: 'name', description: 'How it is called' });
  });
});

describe('fragments that contain fragments', () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, n) => `fragment f${n} on query_root { ...f${n + 1} }`).join(' ');
  const inline = (levels: number, inner = '__typename') =>
    `${'...{'.repeat(levels)} ${inner} ${'}'.repeat(levels)}`;
  const last = (n: number) => `fragment f${n} on query_root { __typename }`;
  const tooDeep = 'depth-limit-exceeded $ the operation is nested deeper than 500 levels';

  test.each([
    ['by name', `{ ...f0 } ${chain(499)} ${last(499)}`],
    ['inline', `{ ${inline(500)} }`],
  ])('are answered if nested up to 500 levels, %s', async (_, query) => {
    expect(await data(query)).toEqual({ __typename: 'query_root' });
  });

  test.each([
    ['by name', `{ ...f0 } ${chain(500)} ${last(500)}`, tooDeep],
    ['by name and far beyond', `{ ...f0 } ${chain(5500)} ${last(5500)}`, tooDeep],
    ['inline', `{ ${inline(501)} }`, tooDeep],
    [
      'by name and inline',
      `{ ...f } fragment f on query_root { ${inline(250, '...g')} } fragment g on query_root { ${inline(249)} }`,
      tooDeep,
    ],
  ])('are refused if nested beyond 500 levels, %s', async (_, query, message) => {
    expect(errorOf(await gateway.ask(query))).toBe(message);
  });

  // Whether this nesting exhausts the stack depends on the JavaScript engine, so either result is accepted.
  test('that are never used do not cause an internal error, however deeply they are nested', async () => {
    const { data, errors } = await gateway.ask(`{ __typename } ${chain(5500)} ${last(5500)}`);
    if (data) expect(data).toEqual({ __typename: 'query_root' });
    else expect(errors).toMatchObject([{ extensions: { code: 'depth-limit-exceeded' } }]);
  });
});
