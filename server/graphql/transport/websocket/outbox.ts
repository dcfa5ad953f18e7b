import type { WebSocket } from 'ws';
import { readLimits } from '../../../http/connections/slow-readers.ts';
import type { Backlog } from './backlog.ts';

/**
 * Maximum bytes that were sent to a client but not yet read. Above this number, further operations of the client wait.
 */
const maxUntaken = 1024 * 1024;
/** Bytes that were sent to a client but not yet read above which its subscriptions hold back their answers. */
const maxUntakenOfSubscriptions = 64 * 1024;
/**
 * Number of operations that may run whatever the expected size of their answers is. Otherwise one large answer could
 * block a client permanently.
 */
const alwaysAllowed = 2;

export interface OutboxOptions {
  readonly socket: WebSocket;
  readonly backlog: Backlog;
  /** Milliseconds that a client may read nothing. */
  readonly graceMs: number;
  /** Called when the client has read a message. */
  readonly onTaken: () => void;
}

/**
 * Sends messages to one client, measures how fast the client reads them, and limits the client's operations
 * accordingly.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  /** Time by which the client must have read all messages. */
  #deadline = 0;
  #largestMessage = 0;
  /** Called when the client has read enough for the answers of subscriptions. */
  #waiting: (() => void)[] = [];

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
    this.#largestMessage = Math.max(this.#largestMessage, message.length);
    backlog.note(socket, { sent: socket.bufferedAmount });
  }

  /** Whether the client has read all messages. */
  get isEmpty(): boolean {
    return this.#options.socket.bufferedAmount === 0;
  }

  get isFull(): boolean {
    return this.#options.socket.bufferedAmount > maxUntaken;
  }

  /** Whether subscriptions must hold back their answers. */
  get isFullForSubscriptions(): boolean {
    return this.#options.socket.bufferedAmount > maxUntakenOfSubscriptions;
  }

  /** Calls `resume` once when subscriptions may send answers again. */
  onceReady(resume: () => void): void {
    this.#waiting.push(resume);
  }

  /** Whether the client reads messages too slowly. */
  get isLate(): boolean {
    return !this.isEmpty && performance.now() > this.#deadline;
  }

  /** Whether another operation may run, on the assumption that every answer is as large as the largest one so far. */
  hasRoomBeside(running: number): boolean {
    if (running < alwaysAllowed) return !this.isFull;
    return this.isEmpty && (running + 1) * this.#largestMessage <= maxUntaken;
  }

  #taken(): void {
    const { socket, backlog, graceMs, onTaken } = this.#options;
    const left = socket.bufferedAmount / readLimits.bytesPerMs;
    // When the client read the last message faster than required, the saved time must not extend the deadline of the
    // next message.
    this.#deadline = Math.min(this.#deadline, performance.now() + graceMs + left);
    backlog.note(socket, { sent: socket.bufferedAmount });
    onTaken();
    this.#resume();
  }

  /** Resumes waiting subscriptions in turn, until one of them has filled the buffer again. */
  #resume(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    while (waiting.length > 0 && !this.isFullForSubscriptions) waiting.shift()?.();
    this.#waiting.unshift(...waiting);
  }
}
