import type { WebSocket } from 'ws';

/** Bytes that one socket holds. */
interface Waiting {
  /** Sent, but not taken by the client yet. */
  readonly sent: number;
  /** Received of a message whose end has not come. */
  readonly received: number;
}

/** Bounds the bytes that all sockets hold together: of messages that clients have not taken, or not finished. */
export class Backlog {
  readonly #max: number;
  readonly #onCut: (bytes: number) => void;
  readonly #waiting = new Map<WebSocket, Waiting>();
  #total = 0;

  /**
   * @param max bytes; above them the socket that holds most is cut off
   * @param onCut called with the bytes of that socket
   */
  constructor(max: number, onCut: (bytes: number) => void) {
    this.#max = max;
    this.#onCut = onCut;
  }

  /** Counts a socket until it is closed. */
  watch(socket: WebSocket): void {
    this.#waiting.set(socket, { sent: 0, received: 0 });
    socket.once('close', () => this.#forget(socket));
  }

  /** Counts the sent bytes of a socket anew. */
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
    if (this.#total > this.#max) this.#cutFullest();
  }

  #cutFullest(): void {
    const all = [...this.#waiting];
    const [socket, waiting] = all.reduce((fullest, one) =>
      bytesOf(one[1]) > bytesOf(fullest[1]) ? one : fullest,
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
