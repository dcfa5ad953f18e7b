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

/** How a socket has ended. */
export interface Ending {
  readonly code: number;
  readonly reason: string;
}

// Messages have whatever shape the test is about.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Message = any;

/** A client that says what a test wants, and keeps what it hears. */
export class RawSocket {
  readonly socket: WebSocket;
  readonly ended: Promise<Ending>;
  readonly #opened: Promise<unknown>;
  /** All that was heard so far. */
  readonly heard: Message[] = [];
  #taken = 0;

  constructor(url: string, options: RawSocketOptions = {}) {
    const { protocols = [modern], headers = {}, autoPong = true } = options;
    const address = `${url.replace(/^http/, 'ws')}/v1/graphql`;
    this.socket = new WebSocket(address, protocols, { headers, autoPong });
    this.socket.on('message', (data) => this.heard.push(JSON.parse(data.toString())));
    this.#opened = new Promise((resolve) => this.socket.once('open', () => resolve(undefined)));
    this.ended = new Promise((resolve) =>
      this.socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
  }

  /** The next message; what the socket ended with where there is none. */
  async next(): Promise<Message> {
    while (this.heard.length <= this.#taken) {
      const ended = await Promise.race([this.ended, once(this.socket, 'message').then(() => null)]);
      if (ended) return ended;
    }
    this.#taken += 1;
    return this.heard[this.#taken - 1];
  }

  /** Waits until so many messages were heard since it was opened. */
  async hears(count: number): Promise<void> {
    while (this.heard.length < count) await once(this.socket, 'message');
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Waits until it is open, and introduces itself with headers; the answer to that. */
  async introduce(headers?: Readonly<Record<string, unknown>>): Promise<Message> {
    await this.#opened;
    this.say({ type: 'connection_init', ...(headers && { payload: { headers } }) });
    return this.next();
  }

  /** Introduces itself once more. */
  introduceAgain(headers: Readonly<Record<string, unknown>>): Promise<Message> {
    this.say({ type: 'connection_init', payload: { headers } });
    return this.next();
  }

  /** Runs one operation by the modern protocol; what is said of it first. */
  async ask(query: string, id = 'q', variables?: unknown): Promise<Message> {
    this.say({ type: 'subscribe', id, payload: { query, variables } });
    const first = await this.next();
    if (first.type === 'next') await this.next();
    return first;
  }

  end(): void {
    this.socket.terminate();
  }
}

/** What is answered over HTTP where no socket is opened: status, and the code of a problem. */
export async function refusalOf(socket: RawSocket): Promise<string> {
  const { socket: refused } = socket;
  refused.on('error', () => {});
  const [, response] = await once(refused, 'unexpected-response');
  const { code } = JSON.parse(await text(response));
  refused.terminate();
  return `${response.statusCode} ${code}`;
}
