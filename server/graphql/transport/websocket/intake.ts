import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Backlog } from './backlog.ts';
import { closeCode, closeSocket } from './closing.ts';

/** Maximum bytes until `connection_init` is read: 16 KiB of headers, escaped in JSON, and a reserve. */
const maxInitBytes = 64 * 1024;
/** Bytes that the headers of frames may add to a message. A client may send a message in many frames. */
const frameBytes = 128 * 1024;
/** Header size of a client's frame with up to 125 bytes of content: two bytes, and four bytes for the mask. */
const controlHeaderBytes = 6;
/**
 * Maximum number of messages, pings and pongs in one piece of received data. A client that sends more waits for its
 * turn before the next piece is read.
 */
const maxPerPiece = 32;

export interface IntakeOptions {
  readonly socket: WebSocket;
  /** The TCP connection below `socket`. */
  readonly raw: Socket;
  readonly backlog: Backlog;
  readonly turns: ReadTurns;
  /** Maximum bytes of a client's message. */
  readonly messageBytes: number;
  /** Called when the socket may be read again. */
  readonly onTurn: () => void;
}

/**
 * Limits the bytes that a client sends of an unfinished message. Node reads pieces of up to 64 KiB, and even a part of
 * one byte keeps its whole piece in memory. So every byte that arrives while a message is unfinished counts.
 */
export class Intake {
  readonly #options: IntakeOptions;
  #isInitialized = false;
  /** Bytes of the unfinished message; 0 without one. Until `connection_init` is read, all received bytes. */
  #bytes = 0;
  /** Contents so far of the piece of data that is being read: messages, control frames and their bytes. */
  #piece = { messages: 0, controls: 0, controlBytes: 0 };
  #isWaiting = false;

  constructor(options: IntakeOptions) {
    const { socket, raw } = options;
    this.#options = options;
    const noteControl = ({ length }: Buffer) => {
      this.#piece.controls += 1;
      this.#piece.controlBytes += controlHeaderBytes + length;
    };
    socket.on('ping', noteControl).on('pong', noteControl);
    socket.on('message', () => {
      this.#piece.messages += 1;
    });
    // The library's listener was added earlier, so it has parsed the piece before this listener counts the bytes.
    raw.on('data', ({ length }: Buffer) => this.#read(length));
  }

  /** Whether the server reads other sockets before this socket. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /**
   * Ends the strict limit for unidentified clients. Must be called when `connection_init` was read: from then on,
   * messages may be as large as requests.
   */
  initialize(): void {
    this.#isInitialized = true;
    this.#bytes = 0;
  }

  #read(bytes: number): void {
    const { socket, backlog, messageBytes } = this.#options;
    const { messages, controls, controlBytes } = this.#piece;
    this.#piece = { messages: 0, controls: 0, controlBytes: 0 };
    const max = this.#isInitialized ? 2 * messageBytes + frameBytes : maxInitBytes;
    if (!this.#isInitialized || (this.#bytes > 0 && messages === 0)) this.#bytes += bytes;
    else this.#bytes = messages > 0 ? 0 : Math.max(0, bytes - controlBytes);
    if (this.#bytes > max) {
      this.#refuse();
    } else {
      backlog.note(socket, { received: this.#bytes });
      if (messages + controls > maxPerPiece) this.#wait();
    }
  }

  #wait(): void {
    const { socket, turns, onTurn } = this.#options;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    socket.pause();
    turns.wait(() => {
      this.#isWaiting = false;
      onTurn();
    });
  }

  #refuse(): void {
    const { socket, raw } = this.#options;
    if (socket.readyState === WebSocket.OPEN) {
      closeSocket(socket, closeCode.tooLarge, 'the message is too large');
      // The socket is disconnected. Bytes that still arrive are discarded, so that they use no memory.
      raw.removeAllListeners('data').resume().end();
    } else socket.terminate();
  }
}

/**
 * Reads sockets that send many messages at the same time one after the other, one socket in each round of the event
 * loop. In one round, Node reads up to 2 MiB of a connection, and would answer no other client meanwhile.
 */
export class ReadTurns {
  readonly #waiting: (() => void)[] = [];

  /** @param resume called when it is the socket's turn */
  wait(resume: () => void): void {
    if (this.#waiting.push(resume) === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    const resume = this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
    resume?.();
  }
}
