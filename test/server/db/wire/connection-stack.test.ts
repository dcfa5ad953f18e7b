import { afterAll, beforeAll, expect, test } from 'vitest';
import { PipelinedClient } from '../../../../server/db/requests/pipelined-client.ts';
import { ConnectionStack } from '../../../../server/db/requests/wire/connection-stack.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const makeStack = (url = database.ownerUrl) =>
  new ConnectionStack(() => new PipelinedClient({ connectionString: url }));

test('the connection that was returned last is lent first', async () => {
  const stack = makeStack();
  const [first, second] = [await stack.take(), await stack.take()];
  stack.give(second, true);
  stack.give(first, true);
  expect([stack.take(), stack.take()]).toEqual([first, second]);
  stack.give(first, true);
  stack.give(second, true);
  await stack.close();
});

test('a connection that is no longer fit is closed, and another one is opened', async () => {
  const stack = makeStack();
  const first = await stack.take();
  const ended = new Promise<void>((resolve) => first.once('end', resolve));
  stack.give(first, false);
  await ended;
  const next = await stack.take();
  expect(next).not.toBe(first);
  stack.give(next, true);
  await stack.close();
});

test.each([
  ['unused', true],
  ['in use', false],
])('a connection that Postgres ends while it is %s is not lent again', async (_what, isUnused) => {
  const stack = makeStack();
  const first = await stack.take();
  const failed = new Promise<void>((resolve) => first.once('error', () => resolve()));
  const giveBack = () => stack.give(first, true);
  const [before, after] = isUnused ? [giveBack, () => {}] : [() => {}, giveBack];
  before();
  const owner = await database.connectOwner();
  await owner.query('select pg_terminate_backend($1)', [first.processID]);
  await owner.end();
  await failed;
  after();
  const next = await stack.take();
  expect(next).not.toBe(first);
  stack.give(next, true);
  await stack.close();
});

test('closing waits for the connections in use, and then none can be taken', async () => {
  const stack = makeStack();
  const used = await stack.take();
  const events: string[] = [];
  const closed = stack.close().then(() => events.push('closed'));
  await used.query('select 1').then(() => events.push('used'));
  expect(() => stack.take()).toThrow('the connections are being closed');
  stack.give(used, true);
  await closed;
  expect(events).toEqual(['used', 'closed']);
});

test('a connection that cannot be opened is reported, and closing does not wait for it', async () => {
  const url = new URL(database.ownerUrl);
  url.pathname = '/no_such_database';
  const stack = makeStack(url.href);
  await expect(stack.take()).rejects.toMatchObject({ code: '3D000' });
  await stack.close();
});
