import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlace, type Place } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace(`
create table author (id int primary key, name text not null);
create table article (id int primary key, author_id int references author, title text);
create index on article (author_id);
create schema blog;
create table blog.article (id int primary key);
create table "has policy" (id int primary key);
create policy own on "has policy" using (true);
create view titles as select title from article`);
  await place.init('--table', 'author');
});
afterAll(() => place.drop());

const track = (table: string) => place.run('track', table);

test('init --table writes only the named tables', async () => {
  const files = Object.keys(await place.readAll()).filter((file) => file.includes('tables/'));
  expect(files).toEqual(['metadata/tables/author.yaml']);
});

test('track writes the file of one table, with its relationships to tables that have files', async () => {
  expect(await track('article')).toEqual({
    code: 0,
    stdout: `wrote ${path.join(place.metadata, 'tables/article.yaml')}\n`,
    stderr: '',
  });
  expect(await place.read('metadata/tables/article.yaml')).toContain(
    'table: article\nrelationships:\n  author: { column: author_id }\n\n# No role',
  );
});

test('track accepts a schema and a view', async () => {
  expect(await track('blog.article')).toMatchObject({ code: 0 });
  expect(await place.read('metadata/tables/blog.article.yaml')).toContain(
    '\ntable: blog.article\n',
  );
  expect(await track('titles')).toMatchObject({ code: 0 });
});

test('apply accepts the files that track wrote', async () => {
  expect(await place.run('apply', '--yes')).toMatchObject({ code: 0 });
});

test('track refuses a table that already has a file, in whatever folder', async () => {
  await writeFile(path.join(place.metadata, 'tables/author.yaml'), 'table: author\n');
  const { code, stderr } = await track('author');
  expect(code).toBe(1);
  expect(stderr).toContain(
    `RG_DUPLICATE_TABLE author has a file: ${place.metadata}/tables/author.yaml`,
  );
  expect(await place.read('metadata/tables/author.yaml')).toBe('table: author\n');
});

test('track refuses an unknown table and names a similar one', async () => {
  const { code, stderr } = await track('blog.artcle');
  expect(code).toBe(2);
  expect(stderr).toBe(
    'rowgate: RG_UNKNOWN_TABLE table "blog.artcle" does not exist\n  did you mean "blog.article"?\n',
  );
});

test('track refuses a table whose user-defined policies would make apply fail', async () => {
  const { code, stderr } = await track('has policy');
  expect(code).toBe(1);
  expect(stderr).toContain('it has the policy "own"');
});

test('track names the next step when there is no metadata folder', async () => {
  const { code, stderr } = await place.runIn(path.join(place.folder, 'none'), 'track', 'author');
  expect(code).toBe(2);
  expect(stderr).toContain('has no roles.yaml\n  run rowgate init first');
});

test('init names a similar schema or table for an unknown one', async () => {
  expect((await place.init('--schema', 'blgo')).stderr).toContain('did you mean "blog"?');
  expect((await place.init('--table', 'autor')).stderr).toContain('did you mean "author"?');
});
