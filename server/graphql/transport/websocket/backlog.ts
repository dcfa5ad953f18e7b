import type { WebSocket } from 'ws';

/** Bytes of one socket. */
interface Waiting {
  /** For the client to take them. */
  readonly sent: number;
  /** Of a message whose end has not come. */
  readonly received: number;
}

/** The bytes that wait for clients to take them, or for the end of a client's message, of all sockets together. */
export class Backlog {
  readonly #most: number;
  readonly #onCut: (bytes: number) => void;
  readonly #waiting = new Map<WebSocket, Waiting>();
  #total = 0;

  /**
   * @param most bytes; above them the socket with most of them is cut off
   * @param onCut called with its bytes
   */
  constructor(most: number, onCut: (bytes: number) => void) {
    this.#most = most;
    this.#onCut = onCut;
  }

  /** Counts a socket until it is closed. */
  watch(socket: WebSocket): void {
    this.#waiting.set(socket, { sent: 0, received: 0 });
    socket.once('close', () => this.#forget(socket));
  }

  /** Looks again at what waits for one. */
  note(socket: WebSocket): void {
    this.#change(socket, { sent: socket.bufferedAmount });
  }

  /** @param received bytes of a message whose end has not come */
  noteReceived(socket: WebSocket, received: number): void {
    this.#change(socket, { received });
  }

  #change(socket: WebSocket, change: Partial<Waiting>): void {
    const before = this.#waiting.get(socket);
    if (before === undefined) return;
    const after = { ...before, ...change };
    this.#waiting.set(socket, after);
    this.#total += bytesOf(after) - bytesOf(before);
    if (this.#total > this.#most) this.#cutFullest();
  }

  #cutFullest(): void {
    const all = [...this.#waiting];
    const [socket, waiting] = all.reduce((most, one) =>
      bytesOf(one[1]) > bytesOf(most[1]) ? one : most,
    );
    this.#forget(socket);
    this.#onCut(bytesOf(waiting));
    socket.terminate();
  }

  #forget(socket: WebSocket): void {
    const waiting = this.#waiting.get(socket);
    if (waiting) this.#total -= bytesOf(waiting);
    this.#waiting.delete(socket);
  }
}

function bytesOf({ sent, received }: Waiting): number {
  return sent + received;
}
