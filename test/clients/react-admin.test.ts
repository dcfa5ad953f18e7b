import hasura from 'ra-data-hasura';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { articleId, authorId, type Library, openLibrary } from './library.ts';

// The test runner has already unwrapped the default export of the declarations.
const buildProvider = hasura as unknown as typeof hasura.default;

let library: Library;
let provider: Awaited<ReturnType<typeof buildProvider>>;
beforeAll(async () => {
  library = await openLibrary();
  const { endpoint: uri, headers } = library;
  provider = await buildProvider({ clientOptions: { uri, headers } });
});
afterAll(() => library.close());

async function stored(title: string): Promise<unknown> {
  const owner = await library.database.connectOwner();
  const { rows } = await owner.query(
    'select pages, published, written_by from article where title = $1',
    [title],
  );
  return rows;
}

async function create(title: string): Promise<string> {
  const { data } = await provider.create('article', { data: { author_id: authorId(1), title } });
  return String(data.id);
}

const firstPage = { page: 1, perPage: 10 };
const byTitle = { field: 'title', order: 'ASC' } as const;

describe('the react-admin data provider for Hasura reads from Rowgate', () => {
  test('a page of a filtered and sorted list, with the count of all its records', async () => {
    const { data, total } = await provider.getList('article', {
      filter: { 'pages@_gte': 10, 'author#name@_in': ['Ada', 'Bert', 'Cleo'] },
      sort: { field: 'pages', order: 'DESC' },
      pagination: { page: 2, perPage: 2 },
    });
    expect({ titles: data.map(({ title }) => title), total }).toEqual({
      titles: ['Birches'],
      total: 3,
    });
  });

  test('a list filtered by equality and by the beginning of a text', async () => {
    const { data } = await provider.getList('article', {
      filter: { title: 'ced', author_id: authorId(2) },
      sort: byTitle,
      pagination: firstPage,
    });
    expect(data.map(({ title }) => title)).toEqual(['Cedars']);
  });

  test('one record', async () => {
    const { data } = await provider.getOne('article', { id: articleId(3) });
    expect(data).toMatchObject({ id: articleId(3), title: 'Cedars', pages: 20 });
  });

  test('several records by their ids, without hidden ones', async () => {
    const ids = [articleId(1), articleId(3), articleId(4)];
    const { data } = await provider.getMany('article', { ids });
    expect(data.map(({ title }) => title)).toEqual(['Alders', 'Cedars']);
  });

  test('the records that refer to a given record', async () => {
    const { data, total } = await provider.getManyReference('article', {
      target: 'author_id',
      id: authorId(1),
      filter: {},
      sort: byTitle,
      pagination: firstPage,
    });
    expect(data.map(({ author_id }) => author_id)).toEqual(Array(total).fill(authorId(1)));
    expect(total).toBeGreaterThanOrEqual(2);
  });
});

describe('the react-admin data provider for Hasura, writing to Rowgate,', () => {
  test('creates a record, in which the rule presets a column', async () => {
    const record = { author_id: authorId(1), title: 'Elms', pages: 7 };
    const { data } = await provider.create('article', { data: record });
    expect(data).toMatchObject({ ...record, id: expect.any(String), published: false });
    expect(await stored('Elms')).toEqual([{ pages: 7, published: false, written_by: 'somebody' }]);
  });

  test('updates one record', async () => {
    const id = await create('Ginkgos');
    const { data: previousData } = await provider.getOne('article', { id });
    const changed = { pages: 8, published: true };
    const { data } = await provider.update('article', { id, data: changed, previousData });
    expect(data).toMatchObject({ id, ...changed });
    expect(await stored('Ginkgos')).toMatchObject([changed]);
  });

  test('updates several records', async () => {
    const ids = [await create('Hazels'), await create('Hazels')];
    const { data } = await provider.updateMany('article', { ids, data: { pages: 9 } });
    expect(data).toEqual(ids);
    expect(await stored('Hazels')).toMatchObject([{ pages: 9 }, { pages: 9 }]);
  });

  test('deletes one record', async () => {
    const id = await create('Ivies');
    const { data } = await provider.delete('article', { id });
    expect(data).toMatchObject({ id });
    expect(await stored('Ivies')).toEqual([]);
  });

  test('deletes several records, but not a hidden one', async () => {
    const ids = [await create('Junipers'), await create('Junipers')];
    const { data } = await provider.deleteMany('article', { ids: [...ids, articleId(4)] });
    expect(new Set(data)).toEqual(new Set(ids));
    expect(await stored('Junipers')).toEqual([]);
    expect(await stored('Dogwoods')).toHaveLength(1);
  });

  test('is refused a record for an author whom the rule hides', async () => {
    const record = { author_id: authorId(3), title: 'Kapoks' };
    await expect(provider.create('article', { data: record })).rejects.toThrow(
      /check constraint of an insert\/update permission has failed/,
    );
    expect(await stored('Kapoks')).toEqual([]);
  });
});
