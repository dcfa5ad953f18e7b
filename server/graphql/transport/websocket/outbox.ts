import type { WebSocket } from 'ws';
import { readLimits } from '../../../http/connections/slow-readers.ts';
import type { Backlog } from './backlog.ts';

/** Bytes that a client may leave waiting before operations of it wait, too. */
const maxWaiting = 1024 * 1024;
/** Operations that may run however large their answers are, while no more bytes wait than may. */
const alwaysAllowed = 2;

export interface OutboxOptions {
  readonly socket: WebSocket;
  readonly backlog: Backlog;
  /** Milliseconds for which a client may take nothing at all. */
  readonly graceMs: number;
  /** Called when the client has taken a message. */
  readonly onTaken: () => void;
}

/** The messages to one client: watches how fast it takes them, and how many operations may run meanwhile. */
export class Outbox {
  readonly #options: OutboxOptions;
  /** When the client must have taken all that waits. */
  #deadline = 0;
  #largestAnswer = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
    options.backlog.watch(options.socket);
  }

  send(message: string): void {
    const { socket, backlog, graceMs } = this.#options;
    const before = socket.bufferedAmount;
    if (before === 0) this.#deadline = performance.now() + graceMs;
    socket.send(message, () => this.#taken());
    this.#deadline += (socket.bufferedAmount - before) / readLimits.bytesPerMs;
    this.#largestAnswer = Math.max(this.#largestAnswer, message.length);
    backlog.note(socket);
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#options.socket.bufferedAmount === 0;
  }

  get isFull(): boolean {
    return this.#options.socket.bufferedAmount > maxWaiting;
  }

  /** Whether the client takes messages more slowly than any that is there. */
  get isLate(): boolean {
    return !this.isEmpty && performance.now() > this.#deadline;
  }

  /** Whether another operation may begin besides those that run, whose answers may be as large as any before. */
  hasRoomBeside(running: number): boolean {
    if (running < alwaysAllowed) return !this.isFull;
    return this.isEmpty && (running + 1) * this.#largestAnswer <= maxWaiting;
  }

  #taken(): void {
    const { socket, backlog, graceMs, onTaken } = this.#options;
    const left = socket.bufferedAmount / readLimits.bytesPerMs;
    // A message that was taken fast earns no time for the next one.
    this.#deadline = Math.min(this.#deadline, performance.now() + graceMs + left);
    backlog.note(socket);
    onTaken();
  }
}
