import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Backlog } from './backlog.ts';
import { closeCode, closeSocket } from './close-code.ts';
import type { ReadTurns } from './read-turns.ts';

/** Bytes that a client may send before its introduction is read: headers of 16 KiB, escaped in JSON, with room to spare. */
const introductionBytes = 64 * 1024;
/** What the frames around the parts of a message may add to it. */
const frameBytes = 128 * 1024;
/** Messages, pings and pongs in one piece; a client that sends more waits for its turn before the next one is read. */
const mostAtOnce = 32;

export interface IntakeOptions {
  readonly socket: WebSocket;
  /** The connection below it. */
  readonly raw: Socket;
  readonly backlog: Backlog;
  readonly turns: ReadTurns;
  /** Largest message of a client. */
  readonly messageBytes: number;
}

/**
 * Bounds what a client sends of a message without its end. Node reads in pieces of up to 64 KiB, and a part of one
 * byte keeps its whole piece in memory: counted are all bytes that come while a message waits for its end, whatever
 * frames they are.
 */
export class Intake {
  readonly #options: IntakeOptions;
  #isWelcome = false;
  /** Of the message that has begun, 0 where none has; before the introduction is read, of all that came. */
  #bytes = 0;
  /** Bytes of pings and pongs in the piece that is read at the moment. */
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

  /** Whether nothing is to be read before others had their turn. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** @param onTurn called when the socket may be read again */
  watch(onTurn: () => void): void {
    this.#onTurn = onTurn;
  }

  /** The introduction was read: from now on messages are as large as requests may be. */
  welcome(): void {
    this.#isWelcome = true;
    this.#bytes = 0;
  }

  #read(bytes: number): void {
    const { socket, backlog, messageBytes } = this.#options;
    const most = this.#isWelcome ? 2 * messageBytes + frameBytes : introductionBytes;
    if (!this.#isWelcome || (this.#bytes > 0 && !this.#hasMessage)) this.#bytes += bytes;
    else this.#bytes = this.#hasMessage ? 0 : Math.max(0, bytes - this.#control);
    const isMuch = this.#count > mostAtOnce;
    this.#hasMessage = false;
    this.#control = 0;
    this.#count = 0;
    if (this.#bytes > most) {
      this.#refuse();
      return;
    }
    backlog.noteReceived(socket, this.#bytes);
    if (isMuch) this.#wait();
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
    // What still comes is read by nobody.
    raw.removeAllListeners('data').resume().end();
  }
}

/** Of a frame of a client with up to 125 bytes: two, and four of the mask. */
const controlHeaderBytes = 6;
