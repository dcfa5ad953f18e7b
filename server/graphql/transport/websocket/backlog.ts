/** The connection of one client. */
export interface Watched {
  once(event: 'close', onClose: () => void): unknown;
  /** Disconnects the client. */
  terminate(): void;
}

/** The memory that the server holds for one client. */
interface Held {
  /** Bytes of sent messages that the client has not read yet. */
  readonly sent: number;
  /** Bytes of a received message that is not complete yet. */
  readonly received: number;
}

/** Bounds the bytes that the server holds for all sockets together. */
export class Backlog {
  readonly #max: number;
  readonly #onCut: (bytes: number) => void;
  readonly #held = new Map<Watched, Held>();
  #total = 0;

  /**
   * @param max bytes; above this number, the backlog disconnects the socket that holds the most bytes
   * @param onCut called with the bytes of that socket
   */
  constructor(max: number, onCut: (bytes: number) => void) {
    this.#max = max;
    this.#onCut = onCut;
  }

  /** Counts the bytes of a socket until it closes. */
  watch(socket: Watched): void {
    this.#held.set(socket, { sent: 0, received: 0 });
    socket.once('close', () => this.#forget(socket));
  }

  /** Replaces the counts of a watched socket. */
  note(socket: Watched, change: Partial<Held>): void {
    const before = this.#held.get(socket);
    if (before === undefined) return;
    const after = { ...before, ...change };
    this.#held.set(socket, after);
    this.#total += bytesOf(after) - bytesOf(before);
    if (this.#total > this.#max) this.#cutLargest();
  }

  #cutLargest(): void {
    const [socket, held] = [...this.#held].reduce((largest, one) =>
      bytesOf(one[1]) > bytesOf(largest[1]) ? one : largest,
    );
    this.#forget(socket);
    this.#onCut(bytesOf(held));
    socket.terminate();
  }

  #forget(socket: Watched): void {
    const held = this.#held.get(socket);
    if (held) this.#total -= bytesOf(held);
    this.#held.delete(socket);
  }
}

function bytesOf({ sent, received }: Held): number {
  return sent + received;
}
