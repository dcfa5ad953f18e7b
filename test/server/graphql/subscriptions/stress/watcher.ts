import { RawSocket } from '../../websocket/support/raw-socket.ts';
import { subscribe } from '../support/tenants.ts';
import type { Row, StressCaller } from './callers.ts';

/** Begins before all rows of writers, as a client does that may miss no row after an interruption. */
const stream = `subscription {
  item_stream(batch_size: 5, cursor: [{ initial_value: { at: "2026-02-01" } }]) { id org name }
}`;

/** A client with one socket: a subscription to each field of its caller, and a stream. */
export class Watcher {
  readonly caller: StressCaller;
  readonly #socket: RawSocket;
  /** How often the stream was opened again after an interruption. */
  #interruptions = 0;

  static async open(url: string, caller: StressCaller): Promise<Watcher> {
    const socket = new RawSocket(url);
    await socket.init(caller.headers);
    return new Watcher(caller, socket);
  }

  private constructor(caller: StressCaller, socket: RawSocket) {
    this.caller = caller;
    this.#socket = socket;
    for (const [index, field] of caller.fields.entries())
      socket.send(subscribe(String(index), `subscription { ${field} }`));
    this.#openStream();
    socket.socket.on('message', () => this.#continue());
  }

  get messages(): number {
    return this.#socket.received.length;
  }

  /** The response of the last message of the live query with this number. */
  last(index: number): unknown {
    return this.#socket.received.findLast(({ id }) => id === String(index))?.payload;
  }

  /** The ids of all rows of each opening of the stream. */
  get streamed(): readonly (readonly number[])[] {
    return Array.from({ length: this.#interruptions + 1 }, (_, index) =>
      this.#batches(index).flatMap((rows) => rows.map(({ id }) => id)),
    );
  }

  /** The rows in all messages that the caller may see at no time. */
  get foreign(): readonly Row[] {
    return this.#socket.received
      .flatMap(({ payload }) => Object.values(payload?.data ?? {}).flat() as (Row | null)[])
      .filter((row) => row?.org !== undefined && !this.caller.maySee(row)) as Row[];
  }

  /** The codes of the errors that have ended live queries, and those that have ended streams. */
  get endings(): { readonly queries: readonly string[]; readonly streams: readonly string[] } {
    const failed = this.#socket.received.filter(({ type }) => type === 'error');
    const codes = (isStream: boolean) =>
      failed
        .filter(({ id }) => id.startsWith('s') === isStream)
        .map(({ payload: [error] }) => error.extensions.code);
    return { queries: codes(false), streams: codes(true) };
  }

  close(): void {
    this.#socket.end();
  }

  #openStream(): void {
    this.#socket.send(subscribe(`s${this.#interruptions}`, stream));
  }

  #continue(): void {
    const { type, id } = this.#socket.received.at(-1);
    if (type !== 'error' || id !== `s${this.#interruptions}`) return;
    this.#interruptions += 1;
    this.#openStream();
  }

  #batches(opening: number): readonly (readonly Row[])[] {
    return this.#socket.received
      .filter(({ id, type }) => id === `s${opening}` && type === 'next')
      .map(({ payload }) => payload.data.item_stream);
  }
}
