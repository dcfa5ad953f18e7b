import { tmpdir } from 'node:os';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../../server/config/config.ts';
import type { Gateway } from '../support/gateway.ts';
import { memberOf, startTenants } from './support/tenants.ts';

let gateway: Gateway;
let owner: pg.Client;
const opened: AbortController[] = [];
beforeAll(async () => {
  const { config } = parseConfig({}, tmpdir());
  gateway = await startTenants({
    config: {
      sockets: { ...config.sockets, keepAliveMs: 50 },
      subscriptions: { ...config.subscriptions, maxPerCaller: 2 },
    },
  });
  owner = await gateway.database.connectOwner();
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.abort();
  await owner.query('delete from item where id > 2');
});
afterAll(async () => {
  await owner.end();
  await gateway.stop();
});

const items = 'subscription { item(order_by: { id: asc }) { id } }';

/** Sends an operation that accepts an event stream. */
async function stream(body: unknown, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  opened.push(abort);
  const response = await gateway.send({
    headers: { ...memberOf(1), accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  return { response, events: eventsOf(response), abort };
}

/** Reads the events and comments of a response one by one. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    yield* parts;
  }
}

/** Returns the next event, without the comments before it. */
async function next(events: AsyncGenerator<string>): Promise<unknown> {
  for (;;) {
    const { value = 'end' } = await events.next();
    if (value !== ':') return value.replaceAll(/, +/g, ',');
  }
}

const event = (data: unknown) => `event: next\ndata: ${JSON.stringify(data)}`;
const complete = 'event: complete\ndata:';

describe('a request that accepts only an event stream', () => {
  test('gets an event for each answer of a subscription', async () => {
    const { response, events } = await stream({ query: items });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await next(events)).toEqual(event({ data: { item: [{ id: 1 }] } }));
    await owner.query(`insert into item values (3, 1, 'three'), (4, 2, 'four')`);
    expect(await next(events)).toEqual(event({ data: { item: [{ id: 1 }, { id: 3 }] } }));
  });

  test('gets one event and the end for a query', async () => {
    const { events } = await stream({ query: '{ item { id } }' });
    expect([await next(events), await next(events), await next(events)]).toEqual([
      event({ data: { item: [{ id: 1 }] } }),
      complete,
      'end',
    ]);
  });

  test.each([
    ['an unknown field', { query: '{ nothing }' }, 'validation-failed'],
    ['a batch', [{ query: items }], 'not-supported'],
    ['no query', {}, 'parse-failed'],
  ])('gets the error of %s', async (_what, body, code) => {
    const { response } = await stream(body);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(`"code":"${code}"`);
  });

  test('gets the error of a wrong secret as an event', async () => {
    const { response } = await stream({ query: items }, { 'X-Gql-Admin-Secret': 'wrong' });
    expect(await response.text()).toMatch(
      /^event: next\ndata: .*access-denied.*\n\nevent: complete\ndata:\n\n$/,
    );
  });

  test('gets comments while nothing changes', async () => {
    const { events } = await stream({ query: items });
    await next(events);
    expect((await events.next()).value).toBe(':');
  });

  test('is refused above the subscriptions of its caller, until one has ended', async () => {
    const first = await stream({ query: items });
    await next(first.events);
    await next((await stream({ query: items })).events);
    const third = await stream({ query: items });
    expect(await third.response.text()).toContain('subscription-limit-exceeded');
    first.abort.abort();
    await expect
      .poll(async () => next((await stream({ query: items })).events))
      .toEqual(event({ data: { item: [{ id: 1 }] } }));
  });
});

describe('a request that accepts JSON and an event stream', () => {
  const both = { accept: 'application/json, text/event-stream' };

  test('gets JSON for a query', async () => {
    const { response } = await stream({ query: '{ item { id } }' }, both);
    expect(await response.json()).toEqual({ data: { item: [{ id: 1 }] } });
  });

  test('gets events for a subscription', async () => {
    const { events } = await stream({ query: items }, both);
    expect(await next(events)).toEqual(event({ data: { item: [{ id: 1 }] } }));
  });
});

test('an event stream ends without the event complete when the server stops, so that clients connect again', async () => {
  const own = await startTenants();
  const response = await own.send({
    headers: { ...memberOf(1), accept: 'text/event-stream' },
    body: JSON.stringify({ query: items }),
  });
  const events = eventsOf(response);
  await next(events);
  await own.drain();
  expect(await next(events)).toBe('end');
  await own.stop();
});
