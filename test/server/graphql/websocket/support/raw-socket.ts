import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';

export const modern = 'graphql-transport-ws';
export const older = 'graphql-ws';

export interface RawSocketOptions {
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly autoPong?: boolean;
}

/** The code and reason with which the server closed a socket. */
export interface Ending {
  readonly code: number;
  readonly reason: string;
}

// Each test knows the shape of its messages.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Message = any;

/** A WebSocket client that sends any message and records all received messages. */
export class RawSocket {
  readonly socket: WebSocket;
  readonly ended: Promise<Ending>;
  readonly #opened: Promise<unknown>;
  /** All messages received so far. */
  readonly received: Message[] = [];
  #taken = 0;

  constructor(url: string, options: RawSocketOptions = {}) {
    const { protocols = [modern], headers = {}, autoPong = true } = options;
    const address = `${url.replace(/^http/, 'ws')}/v1/graphql`;
    this.socket = new WebSocket(address, [...protocols], { headers, autoPong });
    this.socket.on('message', (data) => this.received.push(JSON.parse(data.toString())));
    this.#opened = new Promise((resolve) => this.socket.once('open', () => resolve(undefined)));
    this.ended = new Promise((resolve) =>
      this.socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
  }

  /** Returns the next message, or the close frame if the server closes the socket first. */
  async next(): Promise<Message> {
    while (this.received.length <= this.#taken) {
      const ended = await Promise.race([this.ended, once(this.socket, 'message').then(() => null)]);
      if (ended) return ended;
    }
    this.#taken += 1;
    return this.received[this.#taken - 1];
  }

  /** Waits until the socket has received this number of messages since it opened. */
  async receives(count: number): Promise<void> {
    while (this.received.length < count) await once(this.socket, 'message');
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Waits until the socket is open, and sends `connection_init` with headers. Returns the answer. */
  async init(headers?: Readonly<Record<string, unknown>>): Promise<Message> {
    await this.#opened;
    this.send({ type: 'connection_init', ...(headers && { payload: { headers } }) });
    return this.next();
  }

  /** Sends another `connection_init`. Returns the answer. */
  initAgain(headers: Readonly<Record<string, unknown>>): Promise<Message> {
    this.send({ type: 'connection_init', payload: { headers } });
    return this.next();
  }

  /** Runs one operation in the protocol graphql-transport-ws. Returns the first answer to the operation. */
  async ask(query: string, id = 'q', variables?: unknown): Promise<Message> {
    this.send({ type: 'subscribe', id, payload: { query, variables } });
    const first = await this.next();
    if (first.type === 'next') await this.next();
    return first;
  }

  end(): void {
    this.socket.terminate();
  }
}

/** Returns the status and the problem code of a refused upgrade request, separated by a blank. */
export async function refusalOf(socket: RawSocket): Promise<string> {
  const { socket: refused } = socket;
  refused.on('error', () => {});
  const [, response] = await once(refused, 'unexpected-response');
  const { code } = JSON.parse(await text(response));
  refused.terminate();
  return `${response.statusCode} ${code}`;
}
