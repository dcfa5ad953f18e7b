import { EventEmitter, once } from 'node:events';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listenForApplied } from '../../../server/db/notices/applied-listener.ts';
import type { NoticeListener } from '../../../server/db/notices/notice-listener.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { startDeafPooler } from './support/deaf-pooler.ts';

const listening = `select pid from pg_stat_activity
  where datname = current_database() and query = 'listen rowgate_applied'`;

let database: TestDatabase;
let listener: NoticeListener;
let log: LogCapture;
const calls = new EventEmitter();

beforeAll(async () => {
  database = await createDatabase();
});

beforeEach(async () => {
  log = new LogCapture();
  listener = listenForApplied({
    url: async () => database.ownerUrl,
    onApplied: async () => {
      calls.emit('applied');
    },
    onEnumRows: async () => {
      calls.emit('enum rows');
    },
    onListening: async () => {
      calls.emit('listening');
    },
    logger: pino({ level: 'debug' }, log),
    firstWaitMs: 1,
  });
  await listenerPid();
  return () => listener.close();
});

afterAll(() => database.drop());

async function listenerPid(): Promise<number> {
  const superuser = await database.connectSuperuser();
  for (;;) {
    const { rows } = await superuser.query(listening);
    if (rows[0]) return rows[0].pid;
  }
}

async function terminate(pid: number): Promise<void> {
  const superuser = await database.connectSuperuser();
  await superuser.query('select pg_terminate_backend($1)', [pid]);
}

test('the listener for applied rules calls onApplied when apply sends a notice', async () => {
  const applied = once(calls, 'applied');
  const owner = await database.connectOwner();
  await owner.query('notify rowgate_applied');
  await applied;
});

test('the listener for applied rules calls onEnumRows, not onApplied, when rows of an enum table have changed', async () => {
  const named = Promise.race([
    once(calls, 'enum rows').then(() => 'enum rows'),
    once(calls, 'applied').then(() => 'applied'),
  ]);
  const owner = await database.connectOwner();
  await owner.query("notify rowgate_applied, 'enum'");
  expect(await named).toBe('enum rows');
});

test('the listener for applied rules calls nothing when it is closed while it connects', async () => {
  let connect = (_url: string) => {};
  const url = new Promise<string>((resolve) => {
    connect = resolve;
  });
  const called: string[] = [];
  const slow = listenForApplied({
    url: () => url,
    onApplied: async () => void called.push('applied'),
    onEnumRows: async () => void called.push('enum rows'),
    onListening: async () => void called.push('listening'),
    logger: pino({ level: 'debug' }, log),
  });
  const closed = slow.close();
  connect(database.ownerUrl);
  await closed;
  expect(called).toEqual([]);
});

test('the listener for applied rules replaces a lost connection and calls onListening', async () => {
  const listens = once(calls, 'listening');
  const before = await listenerPid();
  await terminate(before);
  await listens;
  expect(await listenerPid()).not.toBe(before);
});

test('the listener for applied rules receives notices again after a lost connection', async () => {
  const reconnected = once(calls, 'listening');
  await terminate(await listenerPid());
  await reconnected;
  await listenerPid();
  const applied = once(calls, 'applied');
  const owner = await database.connectOwner();
  await owner.query('notify rowgate_applied');
  await applied;
});

test('the listener for applied rules ends its connection when it is closed', async () => {
  const superuser = await database.connectSuperuser();
  await listener.close();
  expect((await superuser.query(listening)).rows).toEqual([]);
});

test('the listener for applied rules logs an error when a connection pooler drops notices', async () => {
  const pooler = await startDeafPooler(database.ownerUrl);
  const deaf = listenForApplied({
    url: async () => pooler.url,
    onApplied: async () => {},
    onEnumRows: async () => {},
    onListening: async () => {},
    logger: pino({ level: 'debug' }, log),
    hearingMs: 100,
  });
  expect(await log.lineWith('notices do not arrive')).toMatchObject({
    level: 50,
    msg: 'cannot listen for applied metadata',
    reason: expect.stringContaining('set DATABASE_DIRECT_URL'),
  });
  await deaf.close();
  pooler.close();
});
