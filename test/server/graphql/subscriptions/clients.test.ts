import { ApolloClient, gql, InMemoryCache } from '@apollo/client/core/core.cjs';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions/subscriptions.cjs';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Gateway } from '../support/gateway.ts';
import { memberOf, startTenants } from './support/tenants.ts';

let gateway: Gateway;
let owner: pg.Client;
const closing: (() => void)[] = [];
beforeAll(async () => {
  gateway = await startTenants();
  owner = await gateway.database.connectOwner();
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await owner.query('delete from item where id > 2');
});
afterAll(async () => {
  await owner.end();
  await gateway.stop();
});

const query = 'subscription { item(order_by: { id: asc }) { id } }';
const httpUrl = () => `${gateway.url}/v1/graphql`;
const socketClient = () => {
  const client = createClient({
    url: httpUrl().replace('http', 'ws'),
    connectionParams: { headers: memberOf(1) },
  });
  closing.push(() => void client.dispose());
  return client;
};

/** Records the ids of the answers that a client receives. */
function recorder() {
  const answers: unknown[] = [];
  const failures: unknown[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: each library has a type of its own
  const next = ({ data }: any) => void answers.push(data.item.map(({ id }: { id: number }) => id));
  return { answers, failures, next, error: (error: unknown) => void failures.push(error) };
}

describe.each([
  [
    'graphql-ws',
    (sink: ReturnType<typeof recorder>) =>
      socketClient().subscribe({ query }, { ...sink, complete: () => {} }),
  ],
  [
    'graphql-sse',
    (sink: ReturnType<typeof recorder>) => {
      const client = createSseClient({ url: httpUrl(), headers: memberOf(1) });
      return client.subscribe({ query }, { ...sink, complete: () => {} });
    },
  ],
  [
    "Apollo client's link for graphql-ws",
    (sink: ReturnType<typeof recorder>) => {
      const link = new GraphQLWsLink(socketClient());
      const client = new ApolloClient({ link, cache: new InMemoryCache() });
      const subscription = client.subscribe({ query: gql(query) }).subscribe(sink);
      return () => subscription.unsubscribe();
    },
  ],
  [
    'urql over a socket',
    (sink: ReturnType<typeof recorder>) => {
      const socket = socketClient();
      const forward = (request: { query?: string | undefined }) => ({
        subscribe: (observer: Parameters<typeof socket.subscribe>[1]) => ({
          unsubscribe: socket.subscribe({ query: request.query ?? '' }, observer),
        }),
      });
      const exchanges = [
        // biome-ignore lint/suspicious/noExplicitAny: the libraries' observers differ in optional members
        subscriptionExchange({ forwardSubscription: forward as any }),
      ];
      const client = new Client({ url: httpUrl(), exchanges, preferGetMethod: false });
      return client.subscription(query, {}).subscribe(sink.next).unsubscribe;
    },
  ],
  [
    'urql over an event stream',
    (sink: ReturnType<typeof recorder>) => {
      const client = new Client({
        ...{ url: httpUrl(), exchanges: [fetchExchange], fetchSubscriptions: true },
        ...{ fetchOptions: { headers: memberOf(1) }, preferGetMethod: false },
      });
      return client.subscription(query, {}).subscribe(sink.next).unsubscribe;
    },
  ],
] as const)('the client %s', (_name, subscribe) => {
  test('gets an answer and then each other answer', async () => {
    const sink = recorder();
    closing.unshift(subscribe(sink));
    await expect.poll(() => sink.answers).toEqual([[1]]);
    await owner.query(`insert into item values (3, 1, 'three')`);
    await expect.poll(() => sink.answers).toEqual([[1], [1, 3]]);
    expect(sink.failures).toEqual([]);
  });
});
