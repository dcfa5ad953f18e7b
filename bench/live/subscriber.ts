import { once } from 'node:events';
import { WebSocket } from 'ws';
import { secret } from '../database.ts';
import { holdsOnly, monotonicMs, newestIn, type Received } from './latency.ts';

const query = `subscription {
  item(order_by: { id: asc }, limit: 50) { id tenant_id name amount }
}`;

/** One client with one live query. It speaks graphql-transport-ws itself, because 10,000 clients share a process. */
export class Subscriber {
  readonly #socket: WebSocket;
  readonly #tenant: number;
  readonly #onProblem: (problem: string) => void;
  #messages: [at: number, newest: number][] = [];
  #newest = 0;
  #onAnswer = (): void => {};

  /** @param onProblem called for a wrong answer, and when the server closes the socket */
  constructor(port: number, tenant: number, onProblem: (problem: string) => void) {
    this.#tenant = tenant;
    this.#onProblem = onProblem;
    const options = { perMessageDeflate: false };
    const url = `ws://127.0.0.1:${port}/v1/graphql`;
    this.#socket = new WebSocket(url, 'graphql-transport-ws', options);
    this.#socket.on('error', ({ message }) => onProblem(message));
    this.#socket.on('close', (code, reason) => onProblem(`closed with ${code} ${reason}`));
    this.#socket.on('message', (data) => this.#receive(String(data)));
  }

  /** Resolves after the first answer. */
  async open(): Promise<void> {
    await once(this.#socket, 'open');
    const headers = {
      'x-gql-admin-secret': secret,
      'x-gql-role': 'tenant',
      'x-gql-tenant-id': String(this.#tenant),
    };
    this.#socket.send(JSON.stringify({ type: 'connection_init', payload: { headers } }));
    await this.#answer();
  }

  record(): void {
    this.#messages = [];
  }

  /** Resolves when a message has shown this write. */
  async until(number: number): Promise<void> {
    while (this.#newest < number) await this.#answer();
  }

  get received(): Received {
    return { tenant: this.#tenant, messages: this.#messages };
  }

  async close(): Promise<void> {
    this.#socket.removeAllListeners('close');
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #answer(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
    });
  }

  #receive(message: string): void {
    const at = monotonicMs();
    if (message.startsWith('{"type":"connection_ack"')) {
      this.#socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    } else if (message.includes('"type":"next"') && holdsOnly(this.#tenant, message)) {
      this.#newest = newestIn(message);
      this.#messages.push([at, this.#newest]);
      this.#onAnswer();
    } else this.#onProblem(`a wrong message for tenant ${this.#tenant}: ${message.slice(0, 300)}`);
  }
}
