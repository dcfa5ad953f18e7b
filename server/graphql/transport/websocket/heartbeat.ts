import type { WebSocket } from 'ws';

export interface HeartbeatOptions {
  readonly socket: WebSocket;
  readonly intervalMs: number;
  /** Whether the peer takes its messages too slowly. */
  readonly isLate: () => boolean;
  /** Called each time, while the peer seems to be there. */
  readonly onBeat: () => void;
}

/** Cuts off a peer that is gone: one that answers no ping, or hardly takes its messages. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #timer: NodeJS.Timeout;
  #hasAnswered = true;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    options.socket.on('pong', () => this.note());
    this.#timer = setInterval(() => this.#beat(), options.intervalMs).unref();
  }

  /** Notes a message of the peer. */
  note(): void {
    this.#hasAnswered = true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const { socket, isLate, onBeat } = this.#options;
    const isAlive = !isLate() && (socket.isPaused || this.#hasAnswered);
    // The answer to a ping is not read while the socket is paused.
    this.#hasAnswered = socket.isPaused;
    if (!isAlive) {
      socket.terminate();
    } else {
      socket.ping();
      onBeat();
    }
  }
}
