import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLogger } from '../../../server/log/log.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { LogCapture } from '../../support/log-capture.ts';

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.connectOwner();
  await owner.query(`create table public.t (v text primary key check (v <> 'no-secret'))`);
  await owner.query(`insert into public.t values ('a-secret')`);
});
afterAll(() => database.drop());

/** Runs a failing statement and returns its error as the log line contains it. */
async function logged(statement: string, wrap = (error: unknown) => error) {
  const capture = new LogCapture();
  const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, capture);
  const error = await owner.query(statement).catch((thrown: unknown) => thrown);
  logger.error({ err: wrap(error) }, 'it failed');
  return { text: capture.text, err: JSON.parse(capture.text).err };
}

describe('an error of Postgres', () => {
  test.each([
    [`insert into public.t values ('a-secret')`, '23505'],
    [`insert into public.t values ('no-secret')`, '23514'],
    ['select v::int from public.t', '22P02'],
    [
      `do $$ begin raise 'a-secret' using errcode = '42501', detail = 'a-secret', hint = 'a-secret'; end $$`,
      '42501',
    ],
    [`do $$ begin perform v::int from public.t; exception when others then raise; end $$`, '22P02'],
  ])('is logged without the values that its message quotes: %s', async (statement, code) => {
    const { text, err } = await logged(statement);
    expect(err).toMatchObject({ type: 'DatabaseError', severity: 'ERROR', code });
    expect(text).not.toContain('secret');
  });

  test('is logged without these values when it is the cause of another error', async () => {
    const wrap = (cause: unknown) => new Error('outer', { cause: new Error('inner', { cause }) });
    const { text, err } = await logged('select v::int from public.t', wrap);
    expect(err).toMatchObject({ message: 'outer', cause: { cause: { code: '22P02' } } });
    expect(text).not.toContain('secret');
  });

  test('is logged with the names of tables and columns in its message', async () => {
    const { err } = await logged('select from public.nothing');
    expect(err).toMatchObject({
      code: '42P01',
      message: 'relation "public.nothing" does not exist',
    });
  });
});

test('an error that Postgres did not raise is logged with its message, its stack and its code', () => {
  const capture = new LogCapture();
  const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, capture);
  logger.error({ err: Object.assign(new Error('plain'), { code: 'ECONNRESET' }) }, 'it failed');
  expect(JSON.parse(capture.text).err).toMatchObject({
    ...{ message: 'plain', code: 'ECONNRESET' },
    stack: expect.stringContaining('log-error.test.ts'),
  });
});
