import type { WebSocket } from 'ws';

/** The bytes that wait for clients to take them, of all sockets together. */
export class Backlog {
  readonly #most: number;
  readonly #onCut: (bytes: number) => void;
  readonly #waiting = new Map<WebSocket, number>();
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
    this.#waiting.set(socket, 0);
    socket.once('close', () => this.#forget(socket));
  }

  /** Looks again at what waits for one. */
  note(socket: WebSocket): void {
    const before = this.#waiting.get(socket);
    if (before === undefined) return;
    const { bufferedAmount } = socket;
    this.#waiting.set(socket, bufferedAmount);
    this.#total += bufferedAmount - before;
    if (this.#total > this.#most) this.#cutFullest();
  }

  #cutFullest(): void {
    const all = [...this.#waiting];
    const [socket, bytes] = all.reduce((most, one) => (one[1] > most[1] ? one : most));
    this.#forget(socket);
    this.#onCut(bytes);
    socket.terminate();
  }

  #forget(socket: WebSocket): void {
    this.#total -= this.#waiting.get(socket) ?? 0;
    this.#waiting.delete(socket);
  }
}
