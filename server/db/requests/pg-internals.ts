import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/*
 * The members of pg that its types leave out and its documentation does not mention. pg offers no way to send several
 * statements under one Sync message, to read rows without decoding them, to send a cancel request that can be awaited, or
 * to count received bytes. All other files use these members through this file. test/server/db/pg-internals.test.ts fails when an update of pg changes them.
 */

/** The protocol connection of a client. */
export interface Wire {
  readonly stream: Duplex;
  /** The texts of prepared statements by their names. */
  readonly parsedStatements: Record<string, string>;
  /** Starts the reading of messages from a stream, which is connected and, with TLS, encrypted. */
  attachListeners(stream: EventEmitter): void;
}

/** A connection that only sends a cancel request. */
export interface CancelLink extends pg.Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

export function wireOf(connection: pg.Connection): Wire {
  return connection as unknown as Wire;
}

type Read = (chunk: Buffer) => void;

/** A stream for a connection of pg, whose bytes pass through a function before they reach pg. */
export interface IncomingTap {
  /** Makes the stream. With TLS, pg itself reads the first byte from it. */
  makeSocket(config: { readonly ssl?: unknown }): Socket;
  /**
   * Must be called before the connection opens.
   * @param makeRead returns the function, which gets all bytes from Postgres, valid only during its call; `pass` gives
   * whole messages to pg
   */
  attach(connection: pg.Connection, makeRead: (pass: (messages: Buffer) => void) => Read): void;
}

/** As much as Node reads at once. */
const READ_BYTES = 64 * 1024;

export function makeIncomingTap(): IncomingTap {
  let read: Read | undefined;
  let isDirect = false;
  return {
    makeSocket({ ssl }) {
      isDirect = !ssl;
      if (ssl) return new Socket();
      // Without a buffer of its own, Node allocates one for each read, which the garbage collector has to free.
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
      const callback = (bytes: number) => {
        read?.(buffer.subarray(0, bytes));
        return true;
      };
      return new Socket({ onread: { buffer, callback } });
    },
    attach(connection, makeRead) {
      const wire = wireOf(connection);
      const attach = wire.attachListeners.bind(wire);
      wire.attachListeners = (stream) => {
        const source = new EventEmitter();
        attach(source);
        read = makeRead((messages) => source.emit('data', messages));
        if (!isDirect) stream.on('data', read);
        stream.on('end', () => source.emit('end'));
      };
    },
  };
}

export function makeCancelLink(config: object): CancelLink {
  return new pg.Connection(config as pg.ConnectionConfig) as CancelLink;
}

/** The methods that pg's client calls on a query of its own class in pipeline mode. */
export interface PipelinedQuery {
  /** Milliseconds after which the client gives up and closes the connection; undefined: the limit of the connection. */
  readonly query_timeout: number | undefined;
  /** Called when the query has ended. The client wraps it to clear its timeout as well. */
  callback(error: unknown): void;
  submit(connection: pg.Connection): void;
  handleError(error: unknown): void;
  handleReadyForQuery(): void;
}

/**
 * Makes the instances of a class pass for queries of pg. In pipeline mode its client accepts only those, but the
 * constructor of pg's class makes an event emitter and a result with type parsers, which a flight never uses.
 */
export function passForQuery(one: { readonly prototype: PipelinedQuery }): void {
  Object.setPrototypeOf(one.prototype, pg.Query.prototype);
}
