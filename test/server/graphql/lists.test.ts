import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './support/data-of.ts';
import { type Gateway, memberOf, one, startGateway, two } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const data = async (query: string, ask = {}) => {
  return dataOf(await gateway.ask(query, ask));
};

describe("a list of a table's rows", () => {
  test('returns every row to admin', async () => {
    const { article } = await data('{ article(order_by: {id: asc}) { id title } }');
    expect(article).toHaveLength(5);
    expect(article[0]).toEqual({ id: 1, title: 'Alpha' });
  });

  test('returns only the rows that the role may see', async () => {
    const query = '{ article(order_by: {id: asc}) { id } }';
    expect(await data(query, memberOf(one))).toEqual({
      article: [{ id: 1 }, { id: 2 }, { id: 3 }],
    });
    expect(await data(query, memberOf(two))).toEqual({ article: [{ id: 4 }] });
  });

  test('returns an empty list if no row matches', async () => {
    expect(await data('{ article(where: {id: {_eq: 99}}) { id } }')).toEqual({ article: [] });
  });

  test('returns only the rows that limit and offset select', async () => {
    const query = '{ article(order_by: {id: asc}, limit: 2, offset: 1) { id } }';
    expect(await data(query)).toEqual({ article: [{ id: 2 }, { id: 3 }] });
  });

  test('accepts the offset as a string', async () => {
    const query = '{ article(order_by: {id: asc}, offset: "3") { id } }';
    expect(await data(query)).toEqual({ article: [{ id: 4 }, { id: 5 }] });
  });

  test('treats a null limit as no limit', async () => {
    const { article } = await data('{ article(limit: null, offset: null, order_by: null) { id } }');
    expect(article).toHaveLength(5);
  });

  test('returns an empty list with a limit of 0', async () => {
    expect(await data('{ article(limit: 0) { id } }')).toEqual({ article: [] });
  });

  test('returns no more rows than the limit of the rule, even if the client sets a higher limit', async () => {
    const ask = { role: 'reader' };
    expect(await data('{ article(order_by: {id: asc}) { id } }', ask)).toEqual({
      article: [{ id: 1 }, { id: 3 }],
    });
    expect((await data('{ article(limit: 100) { id } }', ask)).article).toHaveLength(2);
    expect((await data('{ article(limit: 1) { id } }', ask)).article).toHaveLength(1);
  });

  test('returns one row for each value of the column in distinct_on', async () => {
    const query = `{ article(
      distinct_on: author_id, order_by: [{author_id: desc_nulls_last}, {id: desc}]
    ) { id author_id } }`;
    expect(await data(query)).toEqual({
      article: [
        { id: 4, author_id: 3 },
        { id: 3, author_id: 2 },
        { id: 2, author_id: 1 },
        { id: 5, author_id: null },
      ],
    });
  });

  test('accepts distinct_on from a variable', async () => {
    const query = 'query ($c: [article_select_column!]) { article(distinct_on: $c) { published } }';
    const { article } = await data(query, { with: { c: ['published'] } });
    expect(article).toHaveLength(2);
  });

  test('of a table outside schema public has the schema in its field name', async () => {
    const query = '{ billing_invoice(order_by: {total: asc}) { number total } }';
    expect(await data(query)).toEqual({
      billing_invoice: [
        { number: 1, total: 100 },
        { number: 1, total: 200 },
      ],
    });
  });
});

describe('a field by_pk (one row by its primary key)', () => {
  test('returns the row', async () => {
    const query = 'query ($id: Int!) { article_by_pk(id: $id) { title } }';
    expect(await data(query, { with: { id: 2 } })).toEqual({ article_by_pk: { title: 'Beta' } });
  });

  test('returns null for a row that does not exist or is hidden', async () => {
    expect(await data('{ article_by_pk(id: 99) { id } }', memberOf(one))).toEqual({
      article_by_pk: null,
    });
    expect(await data('{ article_by_pk(id: 4) { id } }', memberOf(one))).toEqual({
      article_by_pk: null,
    });
  });

  test('is refused without every column of a composite key', async () => {
    const query = `{ billing_invoice_by_pk(organization_id: "${two}", number: 1) { total } }`;
    expect(await data(query)).toEqual({ billing_invoice_by_pk: { total: 200 } });
  });

  test('finds a row by a citext key in any letter case', async () => {
    const query = '{ setting_by_pk(name: "THEME") { name level } }';
    expect(await data(query)).toEqual({ setting_by_pk: { name: 'Theme', level: 1 } });
  });

  test('is absent if the role may not read all columns of the primary key', async () => {
    const query = `{ billing_invoice_by_pk(organization_id: "${one}", number: 1) { total } }`;
    const { errors } = await gateway.ask(query, memberOf(one));
    expect(errors?.[0]?.message).toContain("field 'billing_invoice_by_pk' not found");
  });
});

describe('a relationship field', () => {
  test('returns related rows at any depth and in both directions of a foreign key', async () => {
    const query = `{ author_by_pk(id: 1) { name articles(order_by: {id: asc}) {
      title author { organization { name authors(order_by: {id: asc}) { name } } }
    } } }`;
    const organization = { name: 'One', authors: [{ name: 'Ada' }, { name: 'Bob' }] };
    expect(await data(query)).toEqual({
      author_by_pk: {
        name: 'Ada',
        articles: [
          { title: 'Alpha', author: { organization } },
          { title: 'Beta', author: { organization } },
        ],
      },
    });
  });

  test('is null if there is no related row', async () => {
    expect(await data('{ article_by_pk(id: 5) { author { id } } }')).toEqual({
      article_by_pk: { author: null },
    });
  });

  test('that returns a list accepts where, order_by, limit, offset and distinct_on', async () => {
    const query = `{ author(order_by: {id: asc}, limit: 1) {
      articles(where: {views: {_gt: 1}}, order_by: {views: asc}, limit: 1, offset: 1) { id }
    } }`;
    expect(await data(query)).toEqual({ author: [{ articles: [{ id: 1 }] }] });
  });

  test('returns no more rows than the limit of the rule for its table', async () => {
    const query = '{ author(order_by: {id: asc}) { articles { id } } }';
    const { author } = await data(query, { role: 'reader' });
    expect(author.map((row: { articles: unknown[] }) => row.articles.length)).toEqual([1, 1, 1]);
  });

  test('configured manually as an object relationship returns one of several matching rows', async () => {
    const query = `{ author(order_by: [{some_article: {title: desc}}, {id: asc}]) {
      id some_article { author_id }
    } }`;
    const { author } = await data(query);
    expect(author.map((row: { some_article: unknown }) => row.some_article)).toEqual(
      author.map((row: { id: number }) => ({ author_id: row.id })),
    );
  });
});
