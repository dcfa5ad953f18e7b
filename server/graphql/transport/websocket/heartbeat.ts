import type { WebSocket } from 'ws';

export interface HeartbeatOptions {
  readonly socket: WebSocket;
  readonly intervalMs: number;
  /** Whether the peer takes too slowly what waits for it. */
  readonly isLate: () => boolean;
  /** Called each time, for a peer that seems to be there. */
  readonly onBeat: () => void;
}

/** Finds peers that are gone: one that answers no ping, or hardly takes what waits for it, is cut off. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #timer: NodeJS.Timeout;
  #hasAnswered = true;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    options.socket.on('pong', () => this.note());
    this.#timer = setInterval(() => this.#beat(), options.intervalMs).unref();
  }

  /** The peer has said something. */
  note(): void {
    this.#hasAnswered = true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const { socket, isLate, onBeat } = this.#options;
    const isAlive = !isLate() && (socket.isPaused || this.#hasAnswered);
    // While nothing is read no answer is either.
    this.#hasAnswered = socket.isPaused;
    if (!isAlive) {
      socket.terminate();
    } else {
      socket.ping();
      onBeat();
    }
  }
}
