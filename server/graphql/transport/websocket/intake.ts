import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Backlog } from './backlog.ts';
import { closeCode, closeSocket } from './closing.ts';

/** Bytes that a client may send before its introduction is read: 16 KiB of headers, escaped in JSON, with room to spare. */
const introductionBytes = 64 * 1024;
/** Bytes that the frames around the parts of a message may add to it. */
const frameBytes = 128 * 1024;
/** Messages, pings and pongs in one piece; a client that sends more waits for its turn before the next one is read. */
const maxAtOnce = 32;

export interface IntakeOptions {
  readonly socket: WebSocket;
  /** The connection below `socket`. */
  readonly raw: Socket;
  readonly backlog: Backlog;
  readonly turns: ReadTurns;
  /** Largest message of a client. */
  readonly messageBytes: number;
}

/**
 * Bounds the bytes that a client sends of a message without its end. Node reads in pieces of up to 64 KiB, and a part
 * of one byte keeps its whole piece in memory. So all bytes count that come while a message waits for its end, whatever
 * their frames are.
 */
export class Intake {
  readonly #options: IntakeOptions;
  #isWelcome = false;
  /** Bytes of the message that has begun, 0 where none has; before the introduction is read, all bytes that came. */
  #bytes = 0;
  /** Bytes of pings and pongs in the piece that is being read. */
  #control = 0;
  #hasMessage = false;
  /** Messages, pings and pongs in that piece. */
  #count = 0;
  #isWaiting = false;
  #onTurn = () => {};

  constructor(options: IntakeOptions) {
    const { socket, raw } = options;
    this.#options = options;
    const noteControl = ({ length }: Buffer) => {
      this.#control += controlHeaderBytes + length;
      this.#count += 1;
    };
    socket.on('ping', noteControl);
    socket.on('pong', noteControl);
    socket.on('message', () => {
      this.#hasMessage = true;
      this.#count += 1;
    });
    // After the listener of ws, which reads the piece at once.
    raw.on('data', ({ length }: Buffer) => this.#read(length));
  }

  /** Whether other sockets are to be read first. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** @param onTurn called when the socket may be read again */
  watch(onTurn: () => void): void {
    this.#onTurn = onTurn;
  }

  /** Notes that the introduction was read: from now on messages may be as large as requests. */
  welcome(): void {
    this.#isWelcome = true;
    this.#bytes = 0;
  }

  #read(bytes: number): void {
    const { socket, backlog, messageBytes } = this.#options;
    const max = this.#isWelcome ? 2 * messageBytes + frameBytes : introductionBytes;
    if (!this.#isWelcome || (this.#bytes > 0 && !this.#hasMessage)) this.#bytes += bytes;
    else this.#bytes = this.#hasMessage ? 0 : Math.max(0, bytes - this.#control);
    const isMany = this.#count > maxAtOnce;
    this.#hasMessage = false;
    this.#control = 0;
    this.#count = 0;
    if (this.#bytes > max) {
      this.#refuse();
      return;
    }
    backlog.noteReceived(socket, this.#bytes);
    if (isMany) this.#wait();
  }

  #wait(): void {
    const { socket, turns } = this.#options;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    socket.pause();
    turns.wait(() => {
      this.#isWaiting = false;
      this.#onTurn();
    });
  }

  #refuse(): void {
    const { socket, raw } = this.#options;
    if (socket.readyState !== WebSocket.OPEN) {
      socket.terminate();
      return;
    }
    closeSocket(socket, closeCode.tooLarge, 'the message is too large');
    // The rest is discarded.
    raw.removeAllListeners('data').resume().end();
  }
}

/** Bytes of the header of a client's frame with up to 125 bytes: two, and four of the mask. */
const controlHeaderBytes = 6;

/**
 * Reads sockets that send many messages at once one after the other, one in each round of the event loop. Node reads
 * up to 2 MiB of a connection in one round, and all of its messages before it answers another client.
 */
export class ReadTurns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** @param resume called when it is this socket's turn */
  wait(resume: () => void): void {
    this.#waiting.push(resume);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.shift()?.();
      this.#schedule();
    });
  }
}
