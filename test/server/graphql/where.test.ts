import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, headersOf, memberOf, one, startGateway } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** Returns the ids of the articles that match a `where` argument in the document. */
async function ids(where: string, ask = {}): Promise<number[]> {
  return dataOf(
    await gateway.ask(`{ article(where: ${where}, order_by: {id: asc}) { id } }`, ask),
  ).article.map((row: { id: number }) => row.id);
}

/** Returns the ids of the articles that match a `where` argument in a variable. */
async function idsOfVariable(where: unknown): Promise<number[]> {
  return dataOf(
    await gateway.ask(
      'query ($where: article_bool_exp!) { article(where: $where, order_by: {id: asc}) { id } }',
      { with: { where } },
    ),
  ).article.map((row: { id: number }) => row.id);
}

describe('a comparison of a column in where', () => {
  test.each([
    ['{id: {_eq: 2}}', [2]],
    ['{id: {_neq: 2}}', [1, 3, 4, 5]],
    ['{id: {_gt: 3}}', [4, 5]],
    ['{id: {_gte: 3}}', [3, 4, 5]],
    ['{id: {_lt: 3}}', [1, 2]],
    ['{id: {_lte: 3}}', [1, 2, 3]],
    ['{id: {_gt: 1, _lt: 4}}', [2, 3]],
    ['{id: {_in: [1, 5]}}', [1, 5]],
    ['{id: {_in: 3}}', [3]],
    ['{id: {_in: []}}', []],
    ['{id: {_nin: [1, 5]}}', [2, 3, 4]],
    ['{id: {_nin: []}}', [1, 2, 3, 4, 5]],
    ['{body: {_is_null: true}}', [2, 5]],
    ['{body: {_is_null: false}}', [1, 3, 4]],
    ['{body: {_neq: "first"}}', [3, 4]],
    ['{published: {_eq: true}}', [1, 3, 4]],
    ['{price: {_gt: 10.5}}', [2]],
    ['{price: {_eq: "10.50"}}', [1]],
    ['{views: {_eq: 9007199254740993}}', [1]],
    ['{score: {_lt: 0.15}}', [1]],
    ['{published_at: {_gt: "2026-01-15T00:00:00Z"}}', [3]],
    ['{mood: {_eq: sad}}', [1]],
    ['{mood: {_eq: "happy-go"}}', [2]],
    ['{mood: {_in: [sad, "happy-go"]}}', [1, 2]],
    ['{}', [1, 2, 3, 4, 5]],
    ['{id: {}}', [1, 2, 3, 4, 5]],
  ])('such as %s selects %j', async (where, expected) => {
    expect(await ids(where)).toEqual(expected);
  });
});

describe('a text operator in where', () => {
  test.each([
    ['{title: {_like: "%a"}}', [1, 2, 3, 4]],
    ['{title: {_nlike: "%a"}}', [5]],
    ['{title: {_ilike: "a%"}}', [1]],
    ['{title: {_nilike: "%A"}}', [5]],
    ['{title: {_similar: "(A|B)%"}}', [1, 2]],
    ['{title: {_nsimilar: "(A|B)%"}}', [3, 4, 5]],
    ['{title: {_regex: "^.e"}}', [2, 4]],
    ['{title: {_nregex: "^.e"}}', [1, 3, 5]],
    ['{title: {_iregex: "^D"}}', [4]],
    ['{title: {_niregex: "^[abd]"}}', [3, 5]],
  ])('such as %s selects %j', async (where, expected) => {
    expect(await ids(where)).toEqual(expected);
  });
});

describe('a comparison of a jsonb column in where', () => {
  test.each([
    ['{meta: {_contains: {k: 1}}}', [2]],
    ['{meta: {_contained_in: {k: 1, other: true}}}', [2]],
    ['{meta: {_has_key: "k"}}', [1, 2, 4]],
    ['{meta: {_has_keys_any: ["x y", "z"]}}', [1]],
    ['{meta: {_has_keys_all: ["k", "x y"]}}', [1]],
    ['{meta: {_eq: ["k"]}}', [4]],
    ['{meta: {_cast: {String: {_like: "%x y%"}}}}', [1]],
  ])('such as %s selects %j', async (where, expected) => {
    expect(await ids(where)).toEqual(expected);
  });

  test('accepts variables inside a value of the document', async () => {
    const query = 'query ($n: Int) { article(where: {meta: {_contains: {k: $n}}}) { id } }';
    const { data } = await gateway.ask(query, { with: { n: 1 } });
    expect(data).toEqual({ article: [{ id: 2 }] });
  });
});

describe('an array column in where', () => {
  test.each([
    ['{tags: {_contains: ["b"]}}', [1, 2]],
    ['{tags: {_contained_in: ["a", "b", "z"]}}', [1, 4]],
    ['{tags: {_eq: ["b", "c"]}}', [2]],
    ['{tags: {_eq: []}}', [4]],
    ['{tags: {_in: [["a", "b"], []]}}', [1, 4]],
    ['{tags: {_nin: [["a", "b"]]}}', [2, 4]],
  ])('compared by %s selects %j', async (where, expected) => {
    expect(await ids(where)).toEqual(expected);
  });
});

describe("a column of an extension's type (citext or ltree) in where", () => {
  test.each([
    ['{author: {email: {_eq: "ADA@ONE.EXAMPLE"}}}', [1, 2]],
    ['{author: {email: {_in: ["ADA@one.example"]}}}', [1, 2]],
    ['{author: {email: {_like: "ADA%"}}}', [1, 2]],
    ['{author: {email: {_similar: "ada%"}}}', []],
    ['{path: {_ancestor: "Top.Art.Modern"}}', [2]],
    ['{path: {_descendant: "Top"}}', [1, 2]],
    ['{path: {_descendant_any: ["Top.Art", "X"]}}', [2]],
    ['{path: {_matches: "*.Sci*"}}', [1]],
    ['{path: {_matches_any: ["*.Art"]}}', [2]],
    ['{path: {_matches_fulltext: "art@"}}', [2]],
  ])('compared by %s selects %j', async (where, expected) => {
    expect(await ids(where)).toEqual(expected);
  });
});

describe('_and, _or, _not and relationships in where', () => {
  test.each([
    ['{_and: [{id: {_gt: 1}}, {id: {_lt: 3}}]}', [2]],
    ['{_and: []}', [1, 2, 3, 4, 5]],
    ['{_or: [{id: {_eq: 1}}, {id: {_eq: 4}}]}', [1, 4]],
    ['{_or: []}', []],
    ['{_not: {id: {_gt: 1}}}', [1]],
    ['{_not: {_or: [{id: {_eq: 1}}, {_and: {id: {_eq: 2}}}]}}', [3, 4, 5]],
    ['{id: {_gt: 1}, published: {_eq: true}}', [3, 4]],
    ['{author: {name: {_eq: "Ada"}}}', [1, 2]],
    ['{author: {}}', [1, 2, 3, 4]],
    ['{_not: {author: {}}}', [5]],
    ['{author: {articles: {title: {_eq: "Beta"}}}}', [1, 2]],
    ['{author: {organization: {name: {_eq: "Two"}}}}', [4]],
  ])('as in %s select %j', async (where, expected) => {
    expect(await ids(where)).toEqual(expected);
  });

  test('ignore related rows that the role may not see', async () => {
    const where = '{_not: {author: {organization: {name: {_eq: "One"}}}}}';
    expect(await ids(where)).toEqual([4, 5]);
    expect(await ids(where, memberOf(one))).toEqual([]);
  });
});

describe('a variable in where', () => {
  test.each([
    [{ id: { _in: [1, 2] } }, [1, 2]],
    [{ id: { _in: 2 } }, [2]],
    [{ _or: [{ id: { _eq: 1 } }, { author: { name: { _eq: 'Bob' } } }] }, [1, 3]],
    [{ meta: { _contains: { k: 1 } } }, [2]],
    [{ tags: { _eq: ['b', 'c'] } }, [2]],
    [{ mood: { _eq: 'sad' } }, [1]],
    [{ price: { _eq: 10.5 } }, [1]],
    [{ body: { _is_null: true } }, [2, 5]],
    [{ body: { _is_null: false } }, [1, 3, 4]],
  ])('may contain the whole expression %j', async (where, expected) => {
    expect(await idsOfVariable(where)).toEqual(expected);
  });

  test('keeps all digits of a number', async () => {
    const query = 'query ($v: bigint) { article(where: {views: {_eq: $v}}) { id } }';
    const body = `{"query": ${JSON.stringify(query)}, "variables": {"v": 9007199254740993}}`;
    const response = await gateway.send({ headers: headersOf({}), body });
    expect(await response.json()).toEqual({ data: { article: [{ id: 1 }] } });
  });

  test('may have another structure in each request with the same document', async () => {
    const query = 'query ($where: article_bool_exp) { article(where: $where) { id } }';
    const count = async (where?: unknown) => {
      const { data } = await gateway.ask(query, { with: where === undefined ? {} : { where } });
      return data.article.length;
    };
    expect(await count({ id: { _in: [1] } })).toBe(1);
    expect(await count({ id: { _in: [1, 2, 3] } })).toBe(3);
    expect(await count({ title: { _eq: 'Beta' } })).toBe(1);
    expect(await count({})).toBe(5);
    expect(await count()).toBe(5);
    expect(await count({ id: { _in: [4, 5] } })).toBe(2);
  });

  test('gives correct answers with other values when the statement comes from the cache', async () => {
    const query = 'query ($id: Int) { article(where: {id: {_eq: $id}}) { id } }';
    for (const id of [1, 2, 2, 1, 3]) {
      expect((await gateway.ask(query, { with: { id } })).data).toEqual({ article: [{ id }] });
    }
  });

  test('that is absent as the value of where applies no filter', async () => {
    const query = 'query ($where: article_bool_exp) { article(where: $where) { id } }';
    expect((await gateway.ask(query)).data.article).toHaveLength(5);
  });
});

describe('the number of items in where and order_by', () => {
  const ask = (where: unknown, order: unknown = []) =>
    gateway.ask(
      'query ($where: article_bool_exp!, $order: [article_order_by!]) { article(where: $where, order_by: $order) { id } }',
      { with: { where, order } },
    );

  const each = (count: number) => Array.from({ length: count }, (_, n) => ({ id: { _eq: n } }));

  test.each([
    ['objects', { _and: each(10_000) }, []],
    ['comparisons', { _or: each(5001) }, []],
    ['orderings', {}, Array(10_000).fill({ id: 'asc' })],
  ])('is limited, with an error beyond the limit: %s', async (_, where, order) => {
    expect(errorOf(await ask(where, order))).toBe(
      'node-limit-exceeded $ the conditions and orderings of one operation may have 10000 objects and comparisons; compare with lists (_in), or split it into several operations',
    );
  });

  test('is checked before the operation is compiled to SQL, which would take long for thousands of items', async () => {
    expect(errorOf(await ask({ _and: each(10_001) }))).toMatch(
      /^node-limit-exceeded \$\.selectionSet\.article\.args\.where\._and /,
    );
  });

  test('does not count the values in the list of _in', async () => {
    const { data } = await ask({ id: { _in: Array.from({ length: 20_000 }, (_, n) => n) } });
    expect(data.article).toHaveLength(5);
  });
});
