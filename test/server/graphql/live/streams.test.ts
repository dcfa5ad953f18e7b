import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LiveStream, StreamBatch } from '../../../../server/graphql/request/live-operation.ts';
import { query } from '../../../support/query.ts';
import { type Ask, type Gateway, startGateway } from '../support/gateway.ts';
import { liveStream, parsed, subscribe } from './support/subscribe.ts';
import { metadata, schema } from './support/world.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const rows = `truncate place; insert into place values
  (1, 'x', 5, 'p'), (1, 'y', 5, 'q'), (2, 'x', 5, 'r'), (2, 'y', 7, 's'), (3, 'x', 1, 't')`;
afterEach(() => query(gateway.database.ownerUrl, rows));

const member: Ask = { role: 'member', variables: { 'Organization-Id': '1' } };
const { signal } = new AbortController();

function streamOf(cursor: string, batchSize = 2, rest = ''): Promise<LiveStream> {
  const args = `batch_size: ${batchSize}, cursor: ${cursor}${rest}`;
  return liveStream(gateway, `subscription { place_stream(${args}) { title } }`, member);
}

function titles({ text }: StreamBatch): readonly string[] {
  const { data } = parsed(text) as { data: { place_stream: { title: string }[] } };
  return data.place_stream.map(({ title }) => title);
}

/** Reads all pages of a stream. The batches are joined by commas. */
async function pagesOf(stream: LiveStream): Promise<string> {
  const pages: string[] = [];
  let batch = await stream.page(undefined, signal);
  while (batch.last) {
    pages.push(titles(batch).join(''));
    batch = await stream.page(batch.last, signal);
  }
  return pages.join();
}

test.each([
  ['ties of the cursor', '{initial_value: {rank: null}}', 'tp,qr,s'],
  ['a descending cursor', '{initial_value: {rank: null}, ordering: DESC}', 'sr,qp,t'],
  ['a place to begin', '{initial_value: {rank: 1}}', 'pq,rs'],
  ['a place to begin, descending', '{initial_value: {rank: "7"}, ordering: DESC}', 'rq,pt'],
  ['a part of the primary key', '{initial_value: {a: 1}}', 'rs,t'],
  ['a text', '{initial_value: {b: "x"}}', 'qs'],
  ['several columns', '[{initial_value: {a: 1}}, {initial_value: {b: "x"}}]', 'qr,st'],
  [
    'columns of both directions',
    '[{initial_value: {rank: null}, ordering: DESC}, {initial_value: {a: null}}]',
    'sp,qr,t',
  ],
  [
    'places to begin of both directions',
    '[{initial_value: {rank: 5}, ordering: DESC}, {initial_value: {a: 1}}]',
    'rt',
  ],
  [
    'a second cursor without a place to begin',
    '[{initial_value: {a: 2}}, {initial_value: {b: null}}]',
    'rs,t',
  ],
])('a stream sends every row once, in order, by %s', async (_, cursor, expected) => {
  expect(await pagesOf(await streamOf(cursor))).toBe(expected);
});

test('where restricts a stream', async () => {
  expect(
    await pagesOf(await streamOf('{initial_value: {rank: null}}', 9, ', where: {b: {_eq: "x"}}')),
  ).toBe('tpr');
});

test('a batch names the primary keys of its rows, and the place of the last', async () => {
  const batch = await (await streamOf('{initial_value: {rank: 4}}')).page(undefined, signal);
  expect(batch).toMatchObject({ keys: ['["1","x"]', '["1","y"]'], last: ['5', '1', 'y'] });
});

test('an empty batch has no place', async () => {
  const batch = await (await streamOf('{initial_value: {rank: 9}}')).page(undefined, signal);
  expect(batch).toMatchObject({ keys: [], last: undefined });
  expect(titles(batch)).toEqual([]);
});

test('a stream names its table, its cursor and the size of its batches', async () => {
  const stream = await streamOf('[{initial_value: {rank: 1}}, {initial_value: {a: 1}}]');
  expect(stream).toMatchObject({ table: 'public.place', cursor: ['rank', 'a'], batchSize: 2 });
});

test('the row limits of the role and of the server limit a batch', async () => {
  const text =
    'subscription { task_stream(batch_size: 99, cursor: {initial_value: {id: 0}}) { id } }';
  expect(await liveStream(gateway, text, { role: 'watcher' })).toMatchObject({ batchSize: 2 });
  const large = text.replace('99', '2000000000');
  const { batchSize } = await liveStream(gateway, large, member);
  expect(batchSize).toBeLessThan(1_000_000);
});

test('a timestamp is a cursor with all of its digits', async () => {
  const owner = gateway.database.ownerUrl;
  await query(owner, `update task set at = '2026-02-03 04:05:06.789012' where id = 1`);
  const text = `subscription { task_stream(batch_size: 1, cursor: {initial_value: {at: "2026-02-03T04:05:06.789011Z"}}) { id } }`;
  const stream = await liveStream(gateway, text, { role: 'watcher' });
  const batch = await stream.page(undefined, signal);
  expect(parsed(batch.text)).toEqual({ data: { task_stream: [{ id: 1 }] } });
  expect(await stream.page(batch.last, signal)).toMatchObject({ keys: [] });
});

describe('named rows', () => {
  const inserted = (...keys: readonly string[]) => keys.map((key) => ({ key, moved: null }));

  test('are read if the role sees them and they stand after the place to begin', async () => {
    await query(gateway.database.ownerUrl, `update place set title = 'hidden' where a = 2`);
    const stream = await streamOf('{initial_value: {rank: 4}}', 9);
    const keys = inserted('["1","x"]', '["2","y"]', '["3","x"]', '["9","x"]');
    const [batch, ...more] = await stream.pick(keys, signal);
    expect(more).toEqual([]);
    expect(batch).toMatchObject({ keys: ['["1","x"]'], last: ['5', '1', 'x'] });
  });

  test('are read in batches, each in the order of the cursor', async () => {
    const stream = await streamOf('{initial_value: {rank: null}, ordering: DESC}');
    const keys = inserted('["3","x"]', '["2","y"]', '["1","x"]', '["3","x"]', '["9","x"]');
    expect((await stream.pick(keys, signal)).map(titles)).toEqual([['s', 't'], ['p']]);
  });

  test('are left out if another column than those of the cursor has changed', async () => {
    const stream = await streamOf('{initial_value: {rank: null}}');
    const rowsOf = (moved: readonly string[]) => [{ key: '["1","x"]', moved }];
    expect(await stream.pick(rowsOf(['b']), signal)).toEqual([]);
    expect((await stream.pick(rowsOf(['b', 'rank']), signal)).map(titles)).toEqual([['p']]);
  });

  test('are found by a key of one column', async () => {
    const text =
      'subscription { task_stream(batch_size: 9, cursor: {initial_value: {id: 3}}) { id } }';
    const stream = await liveStream(gateway, text, member);
    const found = await stream.pick(inserted('["3"]', '["5"]', '["6"]', '["7"]'), signal);
    // Task 3 does not stand after the place to begin, and task 7 belongs to another organization.
    expect(found.map(({ keys }) => keys)).toEqual([['["5"]', '["6"]']]);
  });
});

test.each([
  ['batch_size: 0, cursor: {initial_value: {rank: 1}}', 'the batch size must be greater than 0'],
  ['batch_size: -1, cursor: {initial_value: {rank: 1}}', 'the batch size must be greater than 0'],
  ['cursor: {initial_value: {rank: 1}}', "missing required field 'batch_size'"],
  ['batch_size: 1', "missing required field 'cursor'"],
  ['batch_size: 1, cursor: []', 'a stream needs at least one cursor'],
  ['batch_size: 1, cursor: {initial_value: {title: "a"}}', "field 'title' not found"],
  [
    'batch_size: 1, cursor: {initial_value: {rank: 1, a: 1}}',
    'for several columns, give several cursors',
  ],
  ['batch_size: 1, cursor: {initial_value: {}}', 'names exactly one column'],
  [
    'batch_size: 1, cursor: [{initial_value: {a: 1}}, {initial_value: {a: 2}}]',
    'at most one cursor for each column',
  ],
  ['batch_size: 1, cursor: {initial_value: {rank: 1}, ordering: UP}', 'ordering'],
])('place_stream(%s) is refused with "%s"', async (args, message) => {
  const text = `subscription { place_stream(${args}) { title } }`;
  await expect(subscribe(gateway, text, member)).rejects.toThrow(message);
});

test('a table whose primary key is an array has no stream', async () => {
  const text =
    'subscription { tagged_stream(batch_size: 1, cursor: {initial_value: {tags: null}}) { tags } }';
  await expect(subscribe(gateway, text, member)).rejects.toThrow("field 'tagged_stream' not found");
});

test('a stream cannot begin at a time that passes', async () => {
  const text =
    'subscription { task_stream(batch_size: 1, cursor: {initial_value: {at: "now"}}) { id } }';
  await expect(subscribe(gateway, text, member)).rejects.toThrow('write the time itself');
});

test('variables give all arguments of a stream', async () => {
  const text =
    'subscription ($size: Int!, $cursor: [place_stream_cursor_input]!) { place_stream(batch_size: $size, cursor: $cursor) { title } }';
  const cursor = [{ initial_value: { rank: 5 }, ordering: 'ASC' }];
  const stream = await liveStream(gateway, text, { ...member, with: { size: 3, cursor } });
  expect(await pagesOf(stream)).toBe('s');
});
