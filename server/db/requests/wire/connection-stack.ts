/** A database connection that a stack can hold. */
export interface StackedConnection {
  /** Whether it can no longer be used, as after an error of the network. */
  readonly isBroken: boolean;
  /** @throws an error of the network or of Postgres */
  connect(): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
}

/** Milliseconds after which an unused connection is closed. */
const MAX_IDLE_MS = 10_000;

interface Idle<Connection> {
  readonly connection: Connection;
  readonly since: number;
}

/**
 * Holds open connections that no request uses. The connection that was returned last is taken first, so that
 * connections beyond the current need become old. The calling code limits the number of connections in use. pg's own
 * pool makes timers, listeners and a promise for each use.
 */
export class ConnectionStack<Connection extends StackedConnection> {
  readonly #make: () => Connection;
  /** The connection that was returned last is at the end. */
  readonly #idle: Idle<Connection>[] = [];
  readonly #inUse = new Set<Connection>();
  readonly #ending = new Set<Promise<void>>();
  #closing: PromiseWithResolvers<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(make: () => Connection) {
    this.#make = make;
  }

  /** The number of connections that requests use, and of those that are open and unused. */
  get counts(): { readonly used: number; readonly idle: number } {
    return { used: this.#inUse.size, idle: this.#idle.length };
  }

  /** Returns an open connection; a promise when it must be opened first, which rejects when it cannot be opened. */
  take(): Connection | Promise<Connection> {
    if (this.#closing) throw new Error('the connections are being closed');
    const idle = this.#idle.pop();
    if (!idle) return this.#open();
    this.#inUse.add(idle.connection);
    return idle.connection;
  }

  /** Takes back a connection. @param isFit whether it can be used again */
  give(connection: Connection, isFit: boolean): void {
    this.#inUse.delete(connection);
    if (!isFit || connection.isBroken || this.#closing) this.#end(connection);
    else {
      this.#idle.push({ connection, since: performance.now() });
      this.#timer ??= setInterval(() => this.#endUnused(), MAX_IDLE_MS / 2).unref();
    }
  }

  /** Closes all connections. Resolves after the last one was returned and has ended. */
  async close(): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>();
    clearInterval(this.#timer);
    for (const { connection } of this.#idle.splice(0)) this.#end(connection);
    this.#settle();
    await this.#closing.promise;
  }

  async #open(): Promise<Connection> {
    const connection = this.#make();
    this.#inUse.add(connection);
    connection.on('error', () => this.#endIdle(connection));
    try {
      await connection.connect();
      return connection;
    } catch (error) {
      this.#inUse.delete(connection);
      // After some failures of the start, the server keeps the connection open.
      this.#end(connection);
      throw error;
    }
  }

  #end(connection: Connection): void {
    const ended = () => {
      this.#ending.delete(ending);
      this.#settle();
    };
    const ending = connection.end().then(ended, ended);
    this.#ending.add(ending);
  }

  #endUnused(): void {
    const oldest = performance.now() - MAX_IDLE_MS;
    while (this.#idle[0] && this.#idle[0].since < oldest) {
      const unused = this.#idle.shift();
      if (unused) this.#end(unused.connection);
    }
  }

  #endIdle(connection: Connection): void {
    const index = this.#idle.findIndex((idle) => idle.connection === connection);
    if (index < 0) return;
    this.#idle.splice(index, 1);
    this.#end(connection);
  }

  #settle(): void {
    if (this.#inUse.size === 0 && this.#ending.size === 0) this.#closing?.resolve();
  }
}
