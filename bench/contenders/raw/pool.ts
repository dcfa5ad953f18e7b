import { connect } from 'node:net';
import type pg from 'pg';
import type { Call } from './endpoint.ts';
import { RawError } from './errors.ts';
import { connectFlightClient, type FlightClient, fly } from './flight.ts';

const WAIT_MS = 5000;
/** Somewhat longer than the statement timeout of Postgres, for a server that no longer answers. */
const SILENCE_MS = 17_000;
const CANCEL_REQUEST = 80_877_102;

/** Runs operations on a limited number of connections. Broken connections are replaced. */
export class RawPool {
  readonly #url: string;
  readonly #role: string;
  readonly #idle: FlightClient[] = [];
  readonly #waiting: ((client: FlightClient) => void)[] = [];
  readonly #broken = new WeakSet<pg.Client>();
  #free: number;

  constructor(url: string, size: number, role: string) {
    this.#url = url;
    this.#free = size;
    this.#role = role;
  }

  /** Rejects with a RawError or the error of Postgres. Cancels the statement when the signal is aborted. */
  async run(call: Call, signal: AbortSignal): Promise<string> {
    const used = await this.#take();
    const silence = setTimeout(() => used.client.connection.stream.destroy(), SILENCE_MS);
    let cancelled: Promise<void> | undefined;
    const cancel = () => {
      cancelled = this.#cancel(used.client);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (signal.aborted) throw new RawError('unavailable', 'the client has left');
      return await fly(used, call, this.#role);
    } catch (error) {
      if (!this.#broken.has(used.client)) throw error;
      throw call.operation.writes
        ? new RawError('outcome-unknown', 'the connection was lost before the answer', error)
        : new RawError('unavailable', 'the database is not available; try again', error);
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', cancel);
      // A late request would cancel the next statement of the connection.
      await cancelled;
      this.#give(used);
    }
  }

  async #take(): Promise<FlightClient> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#free > 0) return this.#open();
    return new Promise((resolve, reject) => {
      const next = (client: FlightClient) => {
        clearTimeout(timer);
        resolve(client);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        reject(new RawError('unavailable', 'no connection became free in time'));
      }, WAIT_MS);
      this.#waiting.push(next);
    });
  }

  async #open(): Promise<FlightClient> {
    this.#free -= 1;
    try {
      const opened = await connectFlightClient(this.#url);
      opened.client.on('error', () => this.#drop(opened));
      return opened;
    } catch (error) {
      this.#free += 1;
      throw new RawError('unavailable', 'the database cannot be reached', error);
    }
  }

  #drop(dropped: FlightClient): void {
    if (this.#broken.has(dropped.client)) return;
    this.#broken.add(dropped.client);
    const index = this.#idle.indexOf(dropped);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#free += 1;
    void dropped.client.end().catch(() => undefined);
    const next = this.#waiting.shift();
    if (next) void this.#open().then(next, () => this.#waiting.unshift(next));
  }

  #give(client: FlightClient): void {
    if (this.#broken.has(client.client)) return;
    const next = this.#waiting.shift();
    if (next) next(client);
    else this.#idle.push(client);
  }

  /** Asks Postgres on a separate connection to cancel the running statement. */
  #cancel(client: pg.Client): Promise<void> {
    const { processID, secretKey } = client as pg.Client & { processID: number; secretKey: number };
    const message = Buffer.alloc(16);
    message.writeInt32BE(16, 0);
    message.writeInt32BE(CANCEL_REQUEST, 4);
    message.writeInt32BE(processID, 8);
    message.writeInt32BE(secretKey, 12);
    const { hostname, port } = new URL(this.#url);
    const socket = connect(Number(port), hostname);
    socket.resume().on('error', () => undefined);
    socket.end(message);
    return new Promise((resolve) => socket.once('close', () => resolve()));
  }
}
