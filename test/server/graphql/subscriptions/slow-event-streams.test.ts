import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CompiledSubscription } from '../../../../server/graphql/subscriptions/compile-subscription.ts';
import type { Subscriptions } from '../../../../server/graphql/subscriptions/subscriptions.ts';
import { EventStream } from '../../../../server/graphql/transport/http/event-stream.ts';
import { Backlog } from '../../../../server/graphql/transport/websocket/backlog.ts';
import type { DirectRequest } from '../../../../server/http/direct.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const backlogOf = (max: number) => new Backlog(max, () => {});

/** Opens an event stream whose client reads only when the test says so. */
async function open(backlog: Backlog) {
  const unread: (() => void)[] = [];
  const socket = new Duplex({
    read: () => {},
    write: (_chunk, _encoding, done) => void unread.push(done),
  });
  const server = createServer();
  server.emit('connection', socket);
  socket.push('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const events = new EventStream({
    ...{ http: {} as DirectRequest, response, backlog, keepAliveMs: 1000 },
    subscriptions: { open: () => () => {} } as unknown as Subscriptions,
    ...{ readSession: undefined, logger: pino({ level: 'silent' }) },
  });
  events.subscribe({ requestCaller: { caller: {} } } as CompiledSubscription);
  const read = async () => {
    while (unread.length > 0) {
      unread.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { events, response, read };
}

describe('an event stream', () => {
  test('is cut off when its client reads an answer slower than 32 bytes in a millisecond', async () => {
    const { events, response } = await open(backlogOf(1_000_000));
    events.send('x'.repeat(320_000));
    await vi.advanceTimersByTimeAsync(10_900);
    expect(response.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(response.destroyed).toBe(true);
  });

  test('stays open when its client has read the answer in time', async () => {
    const { events, response, read } = await open(backlogOf(1_000_000));
    events.send('x'.repeat(320_000));
    await read();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([response.destroyed, events.isFull]).toEqual([false, false]);
  });

  test('is cut off when it holds the most of more bytes than all may hold', async () => {
    const backlog = backlogOf(1_000_000);
    const streams = await Promise.all([1, 2, 3].map(() => open(backlog)));
    for (const [index, { events }] of streams.entries()) events.send('x'.repeat(300_000 + index));
    expect(streams.map(({ response }) => response.destroyed)).toEqual([false, false, false]);
    await streams[0]?.read();
    const fourth = await open(backlog);
    fourth.events.send('x'.repeat(500_000));
    expect(streams.map(({ response }) => response.destroyed)).toEqual([false, false, false]);
    expect(fourth.response.destroyed).toBe(true);
  });
});
