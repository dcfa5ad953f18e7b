import pg from 'pg';

/*
 * The members of pg that its types leave out and its documentation does not mention. pg offers no way to send several
 * statements under one Sync message, to send a cancel request that can be awaited, or to count received bytes. All other
 * files use these members through this file. test/server/db/pg-internals.test.ts fails when an update of pg changes them.
 */

/** The protocol messages of one connection. */
export interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** The texts of prepared statements by their names. */
  readonly parsedStatements: Record<string, string>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(values: { readonly statement: string; readonly values: readonly (string | null)[] }): void;
  execute(options: object): void;
  sync(): void;
  on(event: 'parseComplete', listener: () => void): void;
  off(event: 'parseComplete', listener: () => void): void;
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
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(): void;
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
