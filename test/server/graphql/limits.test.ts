import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, headersOf, startGateway } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  const { limits } = parseConfig({}, '/').config;
  gateway = await startGateway({
    config: { limits: { ...limits, bodyBytes: 4000, depth: 4, batch: 3, rows: 4 } },
  });
});
afterAll(() => gateway.stop());

const tooManyRows =
  'row-limit-exceeded $ a list in the result has more than 4 rows; ask for fewer with "limit"';

describe('rows', () => {
  test('beyond the limit are an error, not a shorter list', async () => {
    expect(errorOf(await gateway.ask('{ article { id } }'))).toBe(tooManyRows);
    expect(errorOf(await gateway.ask('{ article(limit: 5) { id } }'))).toBe(tooManyRows);
    expect(errorOf(await gateway.ask('{ article_aggregate { nodes { id } } }'))).toBe(tooManyRows);
  });

  test('up to the limit are returned', async () => {
    expect((await gateway.ask('{ article(limit: 4) { id } }')).data.article).toHaveLength(4);
    expect(
      (await gateway.ask('{ article(where: {id: {_lt: 5}}) { id } }')).data.article,
    ).toHaveLength(4);
  });

  test('are counted in nested lists too', async () => {
    const owner = await gateway.database.connectOwner();
    await owner.query(
      `insert into article (id, author_id, title) select n, 3, 'More' from generate_series(101, 104) n`,
    );
    const query = '{ author(where: {id: {_eq: 3}}) { articles { id } } }';
    expect(errorOf(await gateway.ask(query))).toBe(tooManyRows);
    await owner.query('delete from article where id > 100');
    expect((await gateway.ask(query)).data.author).toHaveLength(1);
  });

  test('do not bound aggregates', async () => {
    expect((await gateway.ask('{ article_aggregate { aggregate { count } } }')).data).toEqual({
      article_aggregate: { aggregate: { count: 5 } },
    });
  });
});

describe('the size of an answer', () => {
  const long = (fields: string) => `{ author(where: {id: {_eq: 1}}) { ${fields} } }`;
  const many = Array.from({ length: 400 }, (_, index) => `a${index}: name`).join(' ');

  test('beyond the limit is an error that comes before the answer does', async () => {
    const small = await startGateway({
      config: { limits: { ...parseConfig({}, '/').config.limits, responseBytes: 3000 } },
    });
    const answer = await small.ask(long(many));
    const shared = await small.ask(`{ a: author { name } b: author(limit: 1) { ${many} } }`);
    const fits = await small.ask(long('name'));
    await small.stop();
    expect(errorOf(answer)).toMatch(/^size-limit-exceeded \$ the answer would be larger than 3000/);
    expect(errorOf(shared)).toMatch(/^size-limit-exceeded/);
    expect(fits.data.author).toHaveLength(1);
  });

  test('is refused where there are more fields than Postgres takes', async () => {
    const fields = Array.from({ length: 1700 }, (_, index) => `a${index}: name`).join(' ');
    const wide = await startGateway();
    const answer = await wide.ask(long(fields));
    await wide.stop();
    expect(errorOf(answer)).toMatch(/^size-limit-exceeded/);
  });
});

describe('introspection', () => {
  test('answers the usual query for everything', async () => {
    const { data } = await gateway.ask(
      getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
    );
    expect(data.__schema.queryType.name).toBe('query_root');
  });

  test('is refused where one query would occupy the process', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `a${index}: name`).join(' ');
    const wide = await startGateway();
    const answer = await wide.ask(
      `{ __schema { types { inputFields { type { inputFields { type { ${names} } } } } } } }`,
    );
    await wide.stop();
    expect(errorOf(answer)).toMatch(/^node-limit-exceeded \$ the operation selects more than 1000/);
  });
});

describe('depth', () => {
  test('beyond the limit is refused', async () => {
    const query = '{ article { author { articles { author { id } } } } }';
    expect(errorOf(await gateway.ask(query))).toBe(
      'depth-limit-exceeded $.selectionSet.article.selectionSet.author.selectionSet.articles.selectionSet.author the operation is nested deeper than 4 levels',
    );
  });

  test('of relationships in conditions and orders beyond the limit is refused', async () => {
    const nested = (names: readonly string[], inner: string) =>
      names.reduceRight((value, name) => `{ ${name}: ${value} }`, inner);
    const way = ['author', 'articles', 'author', 'articles'];
    const list = (where: string) => `{ article(limit: 1, where: ${where}) { id } }`;
    expect((await gateway.ask(list(nested(way, '{}')))).errors).toBeUndefined();
    const deep = 'depth-limit-exceeded $ the operation is nested deeper than 4 levels';
    expect(errorOf(await gateway.ask(list(nested([...way, 'author'], '{}'))))).toBe(deep);
    const order = nested(
      ['author', 'some_article', 'author', 'some_article', 'author'],
      '{ id: asc }',
    );
    expect(errorOf(await gateway.ask(`{ article(order_by: ${order}) { id } }`))).toBe(deep);
  });

  test('up to the limit is answered', async () => {
    const query = '{ article(limit: 1) { author { articles { id } } } }';
    expect((await gateway.ask(query)).errors).toBeUndefined();
  });

  test('counts fragments', async () => {
    const query = `{ article { ...f } } fragment f on article { author { ...g } }
      fragment g on author { articles { author { id } } }`;
    expect(errorOf(await gateway.ask(query))).toContain('depth-limit-exceeded');
  });

  test('is not counted in introspection', async () => {
    const query = '{ __schema { types { fields { type { ofType { ofType { name } } } } } } }';
    expect((await gateway.ask(query)).errors).toBeUndefined();
  });
});

describe('the size of an operation', () => {
  test('is bounded where fragments multiply it', async () => {
    const fragments = Array.from(
      { length: 20 },
      (_, n) => `fragment f${n} on author { ...f${n + 1} ...f${n + 1} }`,
    );
    const query = `{ author { ...f0 } } ${fragments.join(' ')} fragment f20 on author { id }`;
    expect(errorOf(await gateway.ask(query))).toBe(
      'node-limit-exceeded $ the operation selects more than 20000 fields',
    );
  });
});

describe('a body', () => {
  const post = async (body: string, headers: Record<string, string> = {}) =>
    gateway.send({ headers: { ...headersOf({}), ...headers }, body });

  test('beyond the limit is refused', async () => {
    const response = await post(JSON.stringify({ query: `{ ${'x'.repeat(5000)} }` }));
    expect(response.status).toBe(200);
    expect(errorOf((await response.json()) as never)).toBe(
      'body-limit-exceeded $ the request body is larger than 4000 bytes',
    );
  });

  test('beyond the limit is refused in a batch of many operations', async () => {
    const batch = [1, 2, 3, 4].map(() => ({ query: '{ __typename }' }));
    expect(errorOf((await (await post(JSON.stringify(batch))).json()) as never)).toBe(
      'batch-limit-exceeded $ the batch holds 4 operations, at most 3 are allowed',
    );
  });
});
