import type pg from 'pg';
import { type PipelinedQuery, passForQuery, wireOf } from './pg-internals.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import type { FlightReceiver } from './wire/message-reader.ts';
import { type BoundValue, MessageWriter } from './wire/message-writer.ts';

/** One statement of a flight. */
export interface FlightStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  /** The name under which the connection prepares it; undefined for a statement that is not prepared. */
  readonly name: string | undefined;
  /** Whether its row is not read. */
  readonly isSilent?: boolean;
}

/** The answer of Postgres to a flight. */
export interface Landing<Row> {
  /** The first row of each completed statement, in the places of the statements. */
  readonly firstRows: readonly (Row | undefined)[];
  /** The number of statements that were completed. An error after the last one comes from the commit. */
  readonly completed: number;
  /** The names of statements that this flight tried to prepare without success. */
  readonly unprepared: readonly string[];
  /** Undefined: Postgres has committed. */
  readonly error: unknown;
}

export interface FlightOptions<Row> {
  readonly statements: readonly FlightStatement[];
  /** Reads a row, which begins at `start`. The bytes are valid only during the call. */
  readonly readRow: (bytes: Buffer, start: number) => Row;
  /** The prepared statements of the connection. */
  readonly prepared: PreparedStatements;
  /** The texts of the statements that Postgres has prepared, by their names. */
  readonly parsed: Record<string, string>;
  /** Milliseconds after which the connection is closed; absent: the connection's own limit for a query. */
  readonly maxMs?: number | undefined;
}

/** A statement that the flight prepares, with its name on the connection. */
interface NewStatement {
  readonly statement: FlightStatement;
  readonly name: string;
}

const writer = new MessageWriter();

/**
 * Several statements in one network write and under one Sync message, which makes them one implicit transaction. After
 * an error Postgres skips the others and rolls back, so no statement runs without the settings before it.
 *
 * A query of pg ends with its own Sync, which would end the transaction. This class sends the same messages as a query
 * of pg, but the Sync only once.
 */
export class Flight<Row> implements PipelinedQuery, Landing<Row>, FlightReceiver {
  readonly query_timeout: number | undefined;
  // Not named `rows`, which pg's client takes for an option that it refuses in pipeline mode.
  readonly firstRows: (Row | undefined)[] = [];
  completed = 0;
  error: unknown;
  callback: (error: unknown) => void;
  readonly #options: FlightOptions<Row>;
  readonly #messages: Buffer;
  readonly #new: NewStatement[] = [];
  #prepared = 0;

  /** @throws TypeError when a value is neither a text nor a list, so that nothing is sent half */
  constructor(options: FlightOptions<Row>, landed: (landing: Landing<Row>) => void) {
    this.query_timeout = options.maxMs;
    this.#options = options;
    try {
      for (const statement of options.statements) this.#write(statement);
      writer.sync();
      this.#messages = writer.take();
    } finally {
      writer.clear();
    }
    this.callback = (error) => {
      this.error = error ?? undefined;
      landed(this);
    };
  }

  get unprepared(): readonly string[] {
    return this.#new.slice(this.#prepared).flatMap(({ statement }) => statement.name ?? []);
  }

  submit(connection: pg.Connection): null {
    const { stream } = wireOf(connection);
    if (stream.writable) stream.write(this.#messages);
    return null;
  }

  #write(statement: FlightStatement): void {
    const { name: given, text, values } = statement;
    const name = given === undefined ? '' : this.#options.prepared.add(given, text);
    if (this.#isNew(name, text)) {
      this.#new.push({ statement, name });
      writer.parse(name, text);
    }
    writer.bind(name, values);
    writer.execute();
  }

  /** A flight may contain a statement twice, and Postgres prepares no name twice. */
  #isNew(name: string, text: string): boolean {
    if (this.#options.parsed[name] === text) return false;
    return name === '' || !this.#new.some((one) => one.name === name);
  }

  /** Records the statements that Postgres has prepared, in the order in which they were sent. */
  onParsed(): void {
    const one = this.#new[this.#prepared];
    this.#prepared += 1;
    if (one?.name) this.#options.parsed[one.name] = one.statement.text;
  }

  onRow(bytes: Buffer, start: number): void {
    const { statements, readRow } = this.#options;
    const { completed: index, firstRows } = this;
    if (firstRows[index] !== undefined || statements[index]?.isSilent) return;
    firstRows[index] = readRow(bytes, start);
  }

  onCompleted(): void {
    this.completed += 1;
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}

passForQuery(Flight);
