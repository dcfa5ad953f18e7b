import { ApolloClient, type ApolloLink, gql, InMemoryCache } from '@apollo/client/core/core.cjs';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions/subscriptions.cjs';
import { WebSocketLink } from '@apollo/client/link/ws/ws.cjs';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import type pg from 'pg';
import { SubscriptionClient } from 'subscriptions-transport-ws';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
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

const list = 'subscription { item(order_by: { id: asc }) { id } }';
const stream = `subscription ($from: Int!) {
  item_stream(batch_size: 1, cursor: { initial_value: { id: $from } }) { id }
}`;

const httpUrl = () => `${gateway.url}/v1/graphql`;
const socketUrl = () => httpUrl().replace('http', 'ws');
const connectionParams = { headers: memberOf(1) };

/** Opens a socket of `graphql-transport-ws`. */
const socketClient = () => {
  const client = createClient({ url: socketUrl(), connectionParams });
  closing.push(() => void client.dispose());
  return client;
};

/** Opens a socket of the older protocol `graphql-ws`. */
const olderClient = () => {
  const client = new SubscriptionClient(socketUrl(), { connectionParams }, WebSocket);
  closing.push(() => client.close());
  return client;
};

/** Records the ids of the answers that a client receives. */
function recorder() {
  const answers: unknown[] = [];
  const failures: unknown[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: each library has a type of its own
  const next = ({ data, error, errors }: any) => {
    if (error ?? errors) failures.push(error ?? errors);
    else answers.push(Object.values<{ id: number }[]>(data)[0]?.map(({ id }) => id));
  };
  return { answers, failures, next, error: (error: unknown) => void failures.push(error) };
}

type Sink = ReturnType<typeof recorder>;

/** An operation as each library takes it. */
interface Operation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

function apolloClient(link: ApolloLink, { query, variables }: Operation, sink: Sink) {
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const subscription = client.subscribe({ query: gql(query), variables }).subscribe(sink);
  return () => subscription.unsubscribe();
}

// The observers of the libraries differ in optional members.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Observer = any;

/** Sends an operation over a socket. Returns a function that ends it. */
type Forward = (operation: Operation, observer: Observer) => () => void;

function newerSocket(): Forward {
  const client = socketClient();
  return (operation, observer) => client.subscribe(operation, { complete: () => {}, ...observer });
}

function olderSocket(): Forward {
  const client = olderClient();
  return (operation, observer) => client.request(operation).subscribe(observer).unsubscribe;
}

function urqlClient(forward: Forward, operation: Operation, sink: Sink): () => void {
  const exchange = subscriptionExchange({
    forwardSubscription: ({ query = '', variables = {} }) => ({
      subscribe: (observer) => ({ unsubscribe: forward({ query, variables }, observer) }),
    }),
  });
  const client = new Client({ url: httpUrl(), exchanges: [exchange], preferGetMethod: false });
  return client.subscription(operation.query, operation.variables).subscribe(sink.next).unsubscribe;
}

describe.each<[string, (operation: Operation, sink: Sink) => () => void]>([
  ['graphql-ws', (operation, sink) => newerSocket()(operation, sink)],
  [
    'subscriptions-transport-ws, of the older protocol',
    (operation, sink) => olderSocket()(operation, sink),
  ],
  [
    'graphql-sse',
    (operation, sink) => {
      const client = createSseClient({ url: httpUrl(), headers: memberOf(1) });
      return client.subscribe(operation, { ...sink, complete: () => {} });
    },
  ],
  [
    "Apollo client's link for graphql-ws",
    (operation, sink) => apolloClient(new GraphQLWsLink(socketClient()), operation, sink),
  ],
  [
    "Apollo client's link for the older protocol",
    (operation, sink) => apolloClient(new WebSocketLink(olderClient()), operation, sink),
  ],
  ['urql over a socket', (operation, sink) => urqlClient(newerSocket(), operation, sink)],
  [
    'urql over a socket of the older protocol',
    (operation, sink) => urqlClient(olderSocket(), operation, sink),
  ],
  [
    'urql over an event stream',
    ({ query, variables }, sink) => {
      const client = new Client({
        ...{ url: httpUrl(), exchanges: [fetchExchange], fetchSubscriptions: true },
        ...{ fetchOptions: { headers: memberOf(1) }, preferGetMethod: false },
      });
      return client.subscription(query, variables).subscribe(sink.next).unsubscribe;
    },
  ],
])('the client %s', (_name, subscribe) => {
  test('gets an answer and then each other answer', async () => {
    const sink = recorder();
    closing.unshift(subscribe({ query: list, variables: {} }, sink));
    await expect.poll(() => sink.answers).toEqual([[1]]);
    await owner.query(`insert into item values (3, 1, 'three')`);
    await expect.poll(() => sink.answers).toEqual([[1], [1, 3]]);
    expect(sink.failures).toEqual([]);
  });

  test('gets each row of a stream once', async () => {
    const sink = recorder();
    await owner.query(`insert into item values (3, 1, 'three'), (4, 1, 'four')`);
    closing.unshift(subscribe({ query: stream, variables: { from: 1 } }, sink));
    await expect.poll(() => sink.answers).toEqual([[3], [4]]);
    await owner.query(`insert into item values (6, 1, 'six'), (5, 2, 'five')`);
    await expect.poll(() => sink.answers).toEqual([[3], [4], [6]]);
    expect(sink.failures).toEqual([]);
  });

  test('gets the error of a subscription that its role may not run', async () => {
    const sink = recorder();
    const query = 'subscription { item { secret } }';
    closing.unshift(subscribe({ query, variables: {} }, sink));
    await expect.poll(() => JSON.stringify(sink.failures)).toContain("field 'secret' not found");
    expect(sink.answers).toEqual([]);
  });
});

describe.each([
  ['graphql-transport-ws', newerSocket],
  ['graphql-ws', olderSocket],
])('one socket of %s', (_protocol, open) => {
  test('has several live queries with variables of their own, and runs mutations beside them', async () => {
    const send = open();
    const named =
      'subscription ($name: String = "one") { item(where: { name: { _eq: $name } }) { id } }';
    const insert = 'mutation { insert_item_one(object: { id: 3, org: 1, name: "three" }) { id } }';
    const sinks = { one: recorder(), three: recorder() };
    send({ query: named, variables: {} }, sinks.one);
    send({ query: named, variables: { name: 'three' } }, sinks.three);
    await expect.poll(() => sinks.three.answers).toEqual([[]]);
    send({ query: insert, variables: {} }, { next: () => {}, error: () => {} });
    await expect.poll(() => sinks.three.answers).toEqual([[], [3]]);
    expect(sinks.one.answers).toEqual([[1]]);
  });
});
