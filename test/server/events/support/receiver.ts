import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received payload, as its text and as the object parsed from that text. */
export interface Received {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests are about
  readonly event: any;
}

/** A function that answers a received event. Without one, the answer is 200. */
export type Reaction = (response: ServerResponse, received: Received) => void;

/** An HTTP server that records the events it receives. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  react: Reaction;
  /** Resolves once the server has received this many events. */
  count(count: number): Promise<void>;
  close(): Promise<void>;
}

export const take: Reaction = (response) => response.end('ok');
export const refuse: Reaction = (response) => response.writeHead(500).end('no');

export async function startReceiver(reaction: Reaction = take): Promise<Receiver> {
  const received: Received[] = [];
  const news = new EventEmitter();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { headers, url: path = '' } = request;
    const one = { body, headers, path, event: JSON.parse(body) };
    received.push(one);
    receiver.react(response, one);
    news.emit('one');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    react: reaction,
    count: async (count) => {
      while (received.length < count) await once(news, 'one');
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
