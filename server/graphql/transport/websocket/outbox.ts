import type { WebSocket } from 'ws';
import { takingLimits } from '../../../http/slow-readers.ts';
import type { Backlog } from './backlog.ts';

/** Bytes that may wait for a client before nothing more is begun for it. */
const mostWaiting = 1024 * 1024;
/** Operations that may run however large their answers are, while no more waits than may. */
const always = 2;

export interface OutboxOptions {
  readonly socket: WebSocket;
  readonly backlog: Backlog;
  /** Milliseconds for which a client may take nothing at all. */
  readonly graceMs: number;
  /** Called when something was taken. */
  readonly onTaken: () => void;
}

/** What one client is told, how fast it takes it, and how much may be begun for it meanwhile. */
export class Outbox {
  readonly #options: OutboxOptions;
  /** When all that waits has to be taken. */
  #deadline = 0;
  #largestAnswer = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
    options.backlog.watch(options.socket);
  }

  say(message: string): void {
    const { socket, backlog, graceMs } = this.#options;
    const before = socket.bufferedAmount;
    if (before === 0) this.#deadline = performance.now() + graceMs;
    socket.send(message, () => this.#taken());
    this.#deadline += (socket.bufferedAmount - before) / takingLimits.bytesPerMs;
    this.#largestAnswer = Math.max(this.#largestAnswer, message.length);
    backlog.note(socket);
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#options.socket.bufferedAmount === 0;
  }

  get isFull(): boolean {
    return this.#options.socket.bufferedAmount > mostWaiting;
  }

  /** Whether the client takes what waits more slowly than any that is there. */
  get isLate(): boolean {
    return !this.isEmpty && performance.now() > this.#deadline;
  }

  /** Whether another operation may begin besides those that run, whose answers may be as large as any before. */
  hasRoomBeside(running: number): boolean {
    if (running < always) return !this.isFull;
    return this.isEmpty && (running + 1) * this.#largestAnswer <= mostWaiting;
  }

  #taken(): void {
    const { socket, backlog, graceMs, onTaken } = this.#options;
    const left = socket.bufferedAmount / takingLimits.bytesPerMs;
    // What was taken fast earns no time for what follows.
    this.#deadline = Math.min(this.#deadline, performance.now() + graceMs + left);
    backlog.note(socket);
    onTaken();
  }
}
