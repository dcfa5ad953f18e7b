import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { RequestPool, statementName } from '../../../server/db/requests/request-pool.ts';
import type { JsonStatement } from '../../../server/db/requests/transaction.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const role = 'rowgate_owner';
const settings = {
  ...{ role, searchPath: 'pg_catalog', names: [], values: new Map<string, string>() },
  share: { role, caller: 'a', weight: 1 },
};
const logger = pino({ level: 'silent' });
const statementTimeoutMs = 1000;
const of = (...texts: readonly string[]): readonly JsonStatement[] =>
  texts.map((text) => ({ text, values: [], name: undefined }));
const prepared = (text: string) => ({ text, values: [], name: statementName(role, text) });
const insert = (line: string) => `insert into public.log values ('${line}') returning line`;
const sleep = (seconds: number) => `select pg_sleep(${seconds})::text`;

let database: TestDatabase;
let pool: RequestPool;
beforeAll(async () => {
  database = await createDatabase();
  const connectionString = database.ownerUrl;
  pool = new RequestPool({
    ...{ connectionString, size: 1, maxWaitMs: 60_000, statementTimeoutMs, logger },
  });
  await pool.write(settings, of('create table public.log (line text primary key)'));
});
afterEach(async () => {
  await pool.write(settings, of('truncate public.log'));
});
afterAll(async () => {
  await pool.close();
  await database.drop();
});

const read = (text: string) => pool.read(settings, { text, values: [], name: undefined });
const lines = () => read(`select string_agg(line, ' ' order by line) from public.log`);
const backend = () => read('select pg_backend_pid()::text');

describe('statements that are written at once', () => {
  test('run in order, each sees the rows of the earlier ones, and all are committed', async () => {
    const count = 'select count(*)::text from public.log';
    const rows = await pool.write(settings, of(count, insert('a'), count, insert('b'), count));
    expect(rows).toEqual([['0'], ['a'], ['1'], ['b'], ['2']]);
    expect(await lines()).toEqual(['a b']);
  });

  test.each([
    ['cannot be parsed', 'select no_such_column'],
    ['violates a constraint', insert('a')],
    ['fails while it runs', 'select (1 / 0)::text'],
  ])(
    'are rolled back if one %s; the error has its index, and the connection stays usable',
    async (_what, wrong) => {
      const before = await backend();
      const failed = pool.write(settings, of(insert('a'), insert('b'), wrong, insert('c')));
      await expect(failed).rejects.toMatchObject({ name: 'StatementError', index: 2 });
      expect(await lines()).toEqual([null]);
      expect(await backend()).toEqual(before);
    },
  );

  test('do not run after one has failed', async () => {
    await pool.write(settings, of('create sequence public.called'));
    const call = `select nextval('public.called')::text`;
    await expect(pool.write(settings, of(call, 'select (1 / 0)::text', call))).rejects.toThrow();
    expect(await pool.write(settings, of(call))).toEqual([['2']]);
  });

  test('may contain a prepared statement twice, before and after it is prepared', async () => {
    const two = [prepared('select 1::text'), prepared('select 1::text')];
    for (const _time of [1, 2]) expect(await pool.write(settings, two)).toEqual([['1'], ['1']]);
  });

  test('report a prepared statement that Postgres has lost, and the next ones succeed on a new connection', async () => {
    const two = [prepared('select 1::text'), prepared('select 2::text')];
    await pool.write(settings, two);
    const before = await backend();
    await pool.write(settings, of('deallocate all')).catch(() => {});
    await expect(pool.write(settings, two)).rejects.toMatchObject({ code: '26000' });
    expect(await pool.write(settings, two)).toEqual([['1'], ['2']]);
    expect(await backend()).not.toEqual(before);
  });
});

describe('the time limit of statements that are written at once', () => {
  const cancelled = (index: number) => ({ index, cause: { code: '57014' } });

  test('applies to each statement, not to their sum', async () => {
    const texts = Array.from({ length: 4 }, () => sleep(statementTimeoutMs / 3500));
    expect(await pool.write(settings, of(...texts))).toHaveLength(4);
  });

  test.each([0, 1, 2])('stops the statement with the index %i', async (index) => {
    const texts = ['', '', ''].map((_, one) => sleep(one === index ? 60 : 0));
    await expect(pool.write(settings, of(...texts))).rejects.toMatchObject(cancelled(index));
    expect(await lines()).toEqual([null]);
  });

  test('stops and rolls back all of them after twice the limit', async () => {
    const before = await backend();
    const texts = Array.from({ length: 60 }, () => sleep(statementTimeoutMs / 4000));
    const failed = pool.write(settings, of(insert('a'), ...texts));
    await expect(failed).rejects.toMatchObject({ cause: { code: '57014' } });
    expect(await lines()).toEqual([null]);
    expect(await backend()).toEqual(before);
  });
});
