import type { Socket } from 'node:net';
import pg from 'pg';
import { isLostStatementError } from '../operator-hint.ts';
import { requestCancel } from './cancel-request.ts';
import { Flight, type FlightOptions, type FlightStatement, type Landing } from './flight.ts';
import { makeIncomingTap, wireOf } from './pg-internals.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { MessageReader } from './wire/message-reader.ts';

interface NamedQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly name: string | undefined;
}

type FlyOptions<Row> = Pick<FlightOptions<Row>, 'readRow' | 'maxMs'>;

/** A connection with pipelining, which can send several queries in one network write. */
export class PipelinedClient extends pg.Client {
  /** The prepared statements of this connection. */
  readonly prepared = new PreparedStatements();
  // Members of pg.Client that its types leave out.
  declare readonly processID: number;
  declare readonly secretKey: number;
  declare readonly sslNegotiation: string;
  declare readonly connection: pg.Connection & {
    readonly stream: Socket;
    readonly parsedStatements: Readonly<Record<string, string>>;
  };
  /** Called with the number of received bytes. */
  onReceived: ((bytes: number) => void) | undefined;
  readonly #socket: Socket;
  #reader: MessageReader | undefined;
  #isThreatened = false;
  #isBroken = false;

  constructor(config?: pg.ClientConfig) {
    const tap = makeIncomingTap();
    // @types/pg does not know `pipeline` yet, nor that `stream` gets the configuration of the connection.
    super({ ...config, pipeline: true, stream: tap.makeSocket } as unknown as pg.ClientConfig);
    this.#socket = this.connection.stream;
    this.on('error', () => {
      this.#isBroken = true;
    });
    tap.attach(this.connection, (pass) => {
      const reader = new MessageReader(pass);
      this.#reader = reader;
      return (chunk) => {
        this.onReceived?.(chunk.length);
        if (!this.connection.stream.destroyed) reader.read(chunk);
      };
    });
  }

  /** Closes the connection. Its running queries fail with the error. */
  abandon(error: Error): void {
    this.connection.stream.destroy(error);
  }

  /** Sends all queries of `queue` in one write. */
  flight<T>(queue: () => T): T {
    this.#socket.cork();
    try {
      return queue();
    } finally {
      this.#socket.uncork();
    }
  }

  /**
   * Runs statements as one implicit transaction, in one round trip. Resolves also after errors of Postgres. No other
   * query may be sent before this resolves.
   */
  fly<Row>(
    statements: readonly FlightStatement[],
    options: FlyOptions<Row>,
  ): Promise<Landing<Row>> {
    const { prepared } = this;
    const parsed = wireOf(this.connection).parsedStatements;
    const { promise, resolve } = Promise.withResolvers<Landing<Row>>();
    const flight = new Flight({ ...options, statements, prepared, parsed }, (landing) => {
      if (this.#reader) this.#reader.receiver = undefined;
      if (landing.error !== undefined) this.#forgetUnprepared(landing);
      resolve(landing);
    });
    if (this.#reader) this.#reader.receiver = flight;
    this.query(flight);
    return promise;
  }

  #forgetUnprepared({ error, unprepared }: Landing<unknown>): void {
    if (isLostStatementError(error)) this.prepared.lose();
    else for (const name of unprepared) this.prepared.fail(name);
  }

  /**
   * Returns the rows of a statement. A statement with a name is prepared; a name must always stand for the same text.
   */
  async rows(query: NamedQuery): Promise<(string | null)[][]> {
    return (await this.result(query, true)).rows;
  }

  /**
   * Like {@link rows}, but returns the complete result. Uses Postgres's extended protocol, which refuses a text with
   * several statements.
   */
  async result({ name, ...query }: NamedQuery, asLists: boolean): Promise<pg.QueryResult> {
    const own = name === undefined ? undefined : this.prepared.add(name, query.text);
    const named = {
      ...{ ...query, queryMode: 'extended', ...(own !== undefined && { name: own }) },
      ...(asLists && { rowMode: 'array' as const }),
    };
    try {
      return await this.query(named);
    } catch (error) {
      const isPrepared = own === undefined || own in this.connection.parsedStatements;
      if (isLostStatementError(error)) this.prepared.lose();
      else if (name !== undefined && !isPrepared) this.prepared.fail(name);
      throw error;
    }
  }

  /**
   * Cancels the running statement. No other statement may be sent before the promise resolves. After a rejection the
   * connection must not be used again; {@link isThreatened} reports that.
   */
  async cancelRunning(): Promise<void> {
    this.#isThreatened = true;
    await requestCancel(this);
    this.#isThreatened = false;
  }

  /** Whether the connection has failed and cannot be used again. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Whether a pending cancel request could hit a later statement. */
  get isThreatened(): boolean {
    return this.#isThreatened;
  }
}
