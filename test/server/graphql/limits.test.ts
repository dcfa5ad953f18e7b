import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, headersOf, startGateway } from './support/gateway.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

let gateway: Gateway;
beforeAll(async () => {
  const { limits } = parseConfig({}, '/').config;
  gateway = await startGateway({
    config: { limits: { ...limits, bodyBytes: 4000, depth: 4, batch: 3, rows: 4 } },
  });
});
afterAll(() => gateway.stop());

const tooManyRows =
  'row-limit-exceeded $ a list in the result has more than 4 rows; request fewer with "limit"';

describe('the row limit of an operation (from the configuration)', () => {
  test('refuses an operation with a longer list instead of cutting the list', async () => {
    expect(errorOf(await gateway.ask('{ article { id } }'))).toBe(tooManyRows);
    expect(errorOf(await gateway.ask('{ article(limit: 5) { id } }'))).toBe(tooManyRows);
    expect(errorOf(await gateway.ask('{ article_aggregate { nodes { id } } }'))).toBe(tooManyRows);
  });

  test('allows a list of exactly as many rows as the limit', async () => {
    expect((await gateway.ask('{ article(limit: 4) { id } }')).data.article).toHaveLength(4);
    expect(
      (await gateway.ask('{ article(where: {id: {_lt: 5}}) { id } }')).data.article,
    ).toHaveLength(4);
  });

  test('refuses an operation if a nested list exceeds it', async () => {
    const owner = await gateway.database.connectOwner();
    await owner.query(
      `insert into article (id, author_id, title) select n, 3, 'More' from generate_series(101, 104) n`,
    );
    const query = '{ author(where: {id: {_eq: 3}}) { articles { id } } }';
    expect(errorOf(await gateway.ask(query))).toBe(tooManyRows);
    await owner.query('delete from article where id > 100');
    expect((await gateway.ask(query)).data.author).toHaveLength(1);
  });

  test('does not apply to the rows that an aggregate counts', async () => {
    expect((await gateway.ask('{ article_aggregate { aggregate { count } } }')).data).toEqual({
      article_aggregate: { aggregate: { count: 5 } },
    });
  });
});

describe('the size limit of an answer (from the configuration)', () => {
  const long = (fields: string) => `{ author(where: {id: {_eq: 1}}) { ${fields} } }`;
  const many = Array.from({ length: 400 }, (_, index) => `a${index}: name`).join(' ');

  test('is enforced while Postgres builds the answer, for one field and for the sum of several', async () => {
    const { limits } = parseConfig({}, '/').config;
    const small = await gateway.beside({ limits: { ...limits, responseBytes: 3000 } });
    const answer = await small.ask(long(many));
    const shared = await small.ask(`{ a: author { name } b: author(limit: 1) { ${many} } }`);
    const fits = await small.ask(long('name'));
    expect(errorOf(answer)).toMatch(/^size-limit-exceeded \$ the answer would be larger than 3000/);
    expect(errorOf(shared)).toMatch(/^size-limit-exceeded/);
    expect(fits.data.author).toHaveLength(1);
  });

  test('also covers selections with more fields than a Postgres function accepts arguments', async () => {
    const fields = Array.from({ length: 1700 }, (_, index) => `a${index}: name`).join(' ');
    const wide = await gateway.beside({});
    const answer = await wide.ask(long(fields));
    expect(errorOf(answer)).toMatch(/^size-limit-exceeded/);
  });
});

describe('the cache of compiled documents', () => {
  const mebibyte = 1024 * 1024;
  const items = Array.from({ length: 1000 }, (_, index) => ({ id: { _eq: index } }));
  const columns = Array.from({ length: 700 }, (_, index) => `a${index}: __typename`).join(' ');
  const none = { where: { id: { _eq: -1 } }, _set: { title: 'x', body: 'x', tags: [] } };
  const changes = Array.from({ length: 100 }, () => none);

  test.each<[string, (name: string) => string, unknown]>([
    [
      'conditions in variables',
      (name) => `query ${name}($w: article_bool_exp) { article(limit: 0, where: $w) { id } }`,
      { w: { _or: items } },
    ],
    [
      'large values in the first request with a document',
      (name) => `query ${name}($n: [Int!]) { article(limit: 0, where: {id: {_in: $n}}) { id } }`,
      { n: Array.from({ length: 30_000 }, (_, index) => index) },
    ],
    ['many fields', (name) => `query ${name} { ${columns} }`, {}],
    [
      'many updates in one field',
      (name) =>
        `mutation ${name}($u: [article_updates!]!) { update_article_many(updates: $u) { affected_rows } }`,
      { u: changes },
    ],
  ])(
    'stays within its memory limit, whatever the documents contain: %s',
    async (_what, query, variables) => {
      const { operations } = parseConfig({}, '/').config;
      const small = await gateway.beside({ operations: { ...operations, planBytes: mebibyte } });
      const ask = async (name: string) => small.ask(query(name), { with: variables });
      for (const name of ['first', 'second', 'third'])
        expect((await ask(name)).errors).toBeUndefined();
      const before = heapInUse();
      for (let index = 0; index < 12; index += 1) await ask(`q${index}`);
      expect(heapInUse() - before).toBeLessThan(2 * mebibyte);
    },
  );
});

describe('an introspection query', () => {
  test('is answered if it is the usual query for the whole schema', async () => {
    const { data } = await gateway.ask(
      getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
    );
    expect(data.__schema.queryType.name).toBe('query_root');
  });

  test('is refused if one query selects more than 1000 fields of the schema, which would block the process', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `a${index}: name`).join(' ');
    const wide = await gateway.beside({});
    const answer = await wide.ask(
      `{ __schema { types { inputFields { type { inputFields { type { ${names} } } } } } } }`,
    );
    expect(errorOf(answer)).toMatch(/^node-limit-exceeded \$ the operation selects more than 1000/);
  });

  const aliases = (count: number, field: string) =>
    Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
  const tooMuch =
    'node-limit-exceeded $ the operation selects too much of the schema; select fewer fields below lists';

  test.each([
    ['lists', `{ __schema { types { fields { args { type { inputFields { NAMES } } } } } } }`],
    [
      'fragments',
      '{ __schema { types { ... { ...f } } } } fragment f on __Type { fields { NAMES } }',
    ],
    ['root fields', '{ a: __schema { types { fields { NAMES } } } }'],
    [
      'one type',
      'query ($t: String = "query_root") { __type(name: $t) { fields { args { type { inputFields { type { NAMES } } } } } } }',
    ],
  ])('is refused if nested lists multiply the result: %s', async (_what, query) => {
    expect(errorOf(await gateway.ask(query.replace('NAMES', aliases(300, 'name'))))).toBe(tooMuch);
    expect((await gateway.ask(query.replace('NAMES', 'name'))).errors).toBeUndefined();
  });

  test('is refused if the answer exceeds the size limit', async () => {
    const query = '{ __schema { types { name kind description } } }';
    const { limits } = parseConfig({}, '/').config;
    const small = await gateway.beside({ limits: { ...limits, responseBytes: 1000 } });
    expect(errorOf(await small.ask(query))).toMatch(/^size-limit-exceeded/);
    expect((await gateway.ask(query)).errors).toBeUndefined();
  });

  test('returns the right type for each value of a variable, although the document is cached', async () => {
    const query = 'query ($name: String!) { __type(name: $name) { name } }';
    const named = async (name: string) => (await gateway.ask(query, { with: { name } })).data;
    expect(await named('article')).toEqual({ __type: { name: 'article' } });
    expect(await named('author')).toEqual({ __type: { name: 'author' } });
    expect(await named('nothing')).toEqual({ __type: null });
  });
});

describe('the depth limit of an operation (from the configuration)', () => {
  test('refuses a selection nested deeper than the limit', async () => {
    const query = '{ article { author { articles { author { id } } } } }';
    expect(errorOf(await gateway.ask(query))).toBe(
      'depth-limit-exceeded $.selectionSet.article.selectionSet.author.selectionSet.articles.selectionSet.author the operation is nested deeper than 4 levels',
    );
  });

  test('refuses relationships nested deeper than the limit in where and order_by', async () => {
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

  test('allows a selection nested exactly to the limit', async () => {
    const query = '{ article(limit: 1) { author { articles { id } } } }';
    expect((await gateway.ask(query)).errors).toBeUndefined();
  });

  test('counts the levels of fields inside fragments', async () => {
    const query = `{ article { ...f } } fragment f on article { author { ...g } }
      fragment g on author { articles { author { id } } }`;
    expect(errorOf(await gateway.ask(query))).toContain('depth-limit-exceeded');
  });

  test('does not apply to introspection, which is nested deeply', async () => {
    const query = '{ __schema { types { fields { type { ofType { ofType { name } } } } } } }';
    expect((await gateway.ask(query)).errors).toBeUndefined();
  });
});

describe('the nesting of lists and objects as values in a document', () => {
  const list = `${'['.repeat(501)}1${']'.repeat(501)}`;

  test.each([
    ['an argument', `{ article(where: ${'{_not:'.repeat(500)}{}${'}'.repeat(500)}) { id } }`],
    ['a default', `query ($ids: [Int] = ${list}) { __typename }`],
    ['an unused fragment', `{ __typename } fragment f on article { id(a: ${list}) }`],
  ])('is refused beyond the limit in %s', async (_, query) => {
    expect(errorOf(await gateway.ask(query))).toBe(
      'depth-limit-exceeded $.query the operation is nested deeper than 500 levels',
    );
  });

  test('is accepted at exactly the limit', async () => {
    const query = `{ article(limit: 1, where: ${'{_not:'.repeat(498)}{}${'}'.repeat(498)}) { id } }`;
    expect((await gateway.ask(query)).data.article).toHaveLength(1);
  });
});

describe('the number of selected fields', () => {
  test('is refused beyond the limit even if fragments multiply a few written fields', async () => {
    const fragments = Array.from(
      { length: 20 },
      (_, n) => `fragment f${n} on author { ...f${n + 1} ...f${n + 1} }`,
    );
    const query = `{ author { ...f0 } } ${fragments.join(' ')} fragment f20 on author { id }`;
    expect(errorOf(await gateway.ask(query))).toBe(
      'node-limit-exceeded $ the operation selects more than 20000 fields',
    );
  });

  test('is refused beyond the limit even if the same field is repeated, which the answer contains once', async () => {
    const query = `{ author { ${'id '.repeat(1200)} } }`;
    expect(errorOf(await gateway.ask(query))).toBe(
      'node-limit-exceeded $ the operation selects the same fields too often',
    );
  });
});

describe('a request body', () => {
  const post = async (body: string, headers: Record<string, string> = {}) =>
    gateway.send({ headers: { ...headersOf({}), ...headers }, body });

  test('beyond the size limit is refused', async () => {
    const response = await post(JSON.stringify({ query: `{ ${'x'.repeat(5000)} }` }));
    expect(response.status).toBe(200);
    expect(errorOf((await response.json()) as never)).toBe(
      'body-limit-exceeded $ the request body is larger than 4000 bytes',
    );
  });

  test('with more operations than a batch may have is refused', async () => {
    const batch = [1, 2, 3, 4].map(() => ({ query: '{ __typename }' }));
    expect(errorOf((await (await post(JSON.stringify(batch))).json()) as never)).toBe(
      'batch-limit-exceeded $ the batch holds 4 operations, at most 3 are allowed',
    );
  });
});
