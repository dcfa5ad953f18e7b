import refine, { GraphQLClient } from '@refinedev/hasura';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { articleId, authorId, type Library, openLibrary } from './library.ts';

type DataProvider = ReturnType<typeof refine.default>;

// The type declarations of the package describe a CommonJS module, but the package is an ES module.
const dataProvider = refine as unknown as (client: GraphQLClient) => DataProvider;
const resource = 'article';
const meta = { fields: ['id', 'title', 'pages'] };

let library: Library;
let articles: DataProvider;
beforeAll(async () => {
  library = await openLibrary();
  articles = dataProvider(new GraphQLClient(library.endpoint, { headers: library.headers }));
});
afterAll(() => library.close());

/** Returns the stored rows with this title. */
async function stored(title: string): Promise<unknown> {
  const owner = await library.database.connectOwner();
  const { rows } = await owner.query(
    'select pages, published, written_by from article where title = $1',
    [title],
  );
  return rows;
}

/** Creates an article and returns its id. */
async function create(title: string): Promise<string> {
  const variables = { author_id: authorId(1), title };
  const { data } = await articles.create({ resource, variables, meta });
  return String(data.id);
}

describe('the Refine data provider for Hasura reads from Rowgate', () => {
  test('a page of a filtered and sorted list, with the count of all its records', async () => {
    const answer = await articles.getList({
      resource,
      filters: [
        { field: 'pages', operator: 'gte', value: 10 },
        { field: 'author.name', operator: 'in', value: ['Ada', 'Bert', 'Cleo'] },
        {
          operator: 'or',
          value: [
            { field: 'title', operator: 'contains', value: 'ED' },
            { field: 'title', operator: 'endswith', value: 'ES' },
            { field: 'title', operator: 'startswiths', value: 'Ald' },
          ],
        },
      ],
      sorters: [{ field: 'pages', order: 'desc' }],
      pagination: { currentPage: 2, pageSize: 2 },
      meta,
    });
    expect(answer).toEqual({
      data: [{ id: articleId(2), title: 'Birches', pages: 10 }],
      total: 3,
    });
  });

  test('one record with a related record', async () => {
    const fields = ['title', { author: ['name'] }];
    const { data } = await articles.getOne({ resource, id: articleId(3), meta: { fields } });
    expect(data).toEqual({ title: 'Cedars', author: { name: 'Bert' } });
  });

  test('null for a record that the rule hides', async () => {
    const { data } = await articles.getOne({ resource, id: articleId(4), meta });
    expect(data).toBeNull();
  });

  test('several records by their ids, without hidden ones', async () => {
    const ids = [articleId(1), articleId(3), articleId(4)];
    const { data } = await articles.getMany({ resource, ids, meta: { fields: ['title'] } });
    expect(data).toEqual([{ title: 'Alders' }, { title: 'Cedars' }]);
  });
});

describe('the Refine data provider for Hasura, writing to Rowgate,', () => {
  test('creates a record, in which the rule presets a column', async () => {
    const variables = { author_id: authorId(1), title: 'Elms', pages: 7 };
    const { data } = await articles.create({ resource, variables, meta });
    expect(data).toEqual({ id: expect.any(String), title: 'Elms', pages: 7 });
    expect(await stored('Elms')).toEqual([{ pages: 7, published: false, written_by: 'somebody' }]);
  });

  test('creates several records', async () => {
    const variables = ['Firs', 'Firs'].map((title) => ({ author_id: authorId(2), title }));
    const { data } = await articles.createMany({ resource, variables, meta });
    expect(data).toHaveLength(2);
    expect(await stored('Firs')).toHaveLength(2);
  });

  test('updates one record', async () => {
    const id = await create('Ginkgos');
    const variables = { pages: 8, published: true };
    const { data } = await articles.update({ resource, id, variables, meta });
    expect(data).toEqual({ id, title: 'Ginkgos', pages: 8 });
    expect(await stored('Ginkgos')).toMatchObject([{ pages: 8, published: true }]);
  });

  test('updates several records', async () => {
    const ids = [await create('Hazels'), await create('Hazels')];
    const variables = { pages: 9 };
    const { data } = await articles.updateMany({ resource, ids, variables, meta });
    expect(data).toHaveLength(2);
    expect(await stored('Hazels')).toMatchObject([{ pages: 9 }, { pages: 9 }]);
  });

  test('deletes one record', async () => {
    const id = await create('Ivies');
    const { data } = await articles.deleteOne({ resource, id, meta });
    expect(data).toEqual({ id, title: 'Ivies', pages: 1 });
    expect(await stored('Ivies')).toEqual([]);
  });

  test('deletes several records, but not a hidden one', async () => {
    const ids = [await create('Junipers'), await create('Junipers'), articleId(4)];
    const { data } = await articles.deleteMany({ resource, ids, meta });
    expect(data).toHaveLength(2);
    expect(await stored('Junipers')).toEqual([]);
    expect(await stored('Dogwoods')).toHaveLength(1);
  });

  test('is refused a record for an author whom the rule hides', async () => {
    const variables = { author_id: authorId(3), title: 'Kapoks' };
    await expect(articles.create({ resource, variables, meta })).rejects.toThrow(
      /check constraint of an insert\/update permission has failed/,
    );
    expect(await stored('Kapoks')).toEqual([]);
  });

  test('leaves a record unchanged that the rule hides', async () => {
    const variables = { pages: 1 };
    const { data } = await articles.update({ resource, id: articleId(4), variables, meta });
    expect(data).toBeNull();
    expect(await stored('Dogwoods')).toMatchObject([{ pages: 40 }]);
  });
});
