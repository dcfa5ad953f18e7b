import type pg from 'pg';
import { type PipelinedQuery, passForQuery, type Wire, wireOf } from './pg-internals.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** The text of a literal, or a list that becomes an array literal. */
export type BoundValue = string | null | readonly BoundValue[];

/** One statement of a flight. */
export interface FlightStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  /** The name under which the connection prepares it; undefined for a statement that is not prepared. */
  readonly name: string | undefined;
}

/** What Postgres answered to a flight. */
export interface Landing {
  /** The first row of each completed statement. */
  readonly firstRows: readonly (readonly (string | null)[])[];
  /** The number of statements that were completed. An error after the last one comes from the commit. */
  readonly completed: number;
  /** The names of statements that this flight tried to prepare without success. */
  readonly unprepared: readonly string[];
  /** Undefined: Postgres has committed. */
  readonly error: unknown;
}

export interface FlightOptions {
  readonly statements: readonly FlightStatement[];
  /** The prepared statements of the connection. */
  readonly prepared: PreparedStatements;
  /** Milliseconds after which the connection is closed; absent: the connection's own limit for a query. */
  readonly maxMs?: number | undefined;
}

interface BoundStatement {
  readonly statement: FlightStatement;
  /** The name on this connection. Empty for a statement that is not prepared. */
  readonly name: string;
  readonly values: readonly (string | null)[];
}

/**
 * Several statements in one network write and under one Sync message, which makes them one implicit transaction. After
 * an error Postgres skips the others and rolls back, so no statement runs without the settings before it.
 *
 * A query of pg ends with its own Sync, which would end the transaction. This class sends the same messages as a query
 * of pg, but the Sync only once.
 */
export class Flight implements PipelinedQuery, Landing {
  readonly query_timeout: number | undefined;
  // Not named `rows`, which pg's client takes for an option that it refuses in pipeline mode.
  readonly firstRows: (readonly (string | null)[])[] = [];
  completed = 0;
  error: unknown;
  callback: (error: unknown) => void;
  readonly #statements: readonly BoundStatement[];
  readonly #new: BoundStatement[] = [];
  #prepared = 0;
  #stopWatching: (() => void) | undefined;

  /** @throws TypeError when a value is neither a text nor a list, so that nothing is sent half */
  constructor({ statements, prepared, maxMs }: FlightOptions, landed: (landing: Landing) => void) {
    this.query_timeout = maxMs;
    this.#statements = statements.map((statement) => ({
      statement,
      name: statement.name === undefined ? '' : prepared.add(statement.name, statement.text),
      values: statement.values.map(textOf),
    }));
    this.callback = (error) => {
      this.#stopWatching?.();
      this.error = error ?? undefined;
      landed(this);
    };
  }

  get unprepared(): readonly string[] {
    return this.#new.slice(this.#prepared).flatMap(({ statement }) => statement.name ?? []);
  }

  submit(connection: pg.Connection): null {
    const wire = wireOf(connection);
    wire.stream.cork();
    for (const statement of this.#statements) this.#send(statement, wire);
    if (this.#new.length > 0) this.#watchPreparing(wire);
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  #send(bound: BoundStatement, wire: Wire): void {
    const { name, values, statement } = bound;
    // A flight may contain a statement twice, and Postgres prepares no name twice.
    const isNew = name === '' || !this.#new.some((one) => one.name === name);
    if (isNew && wire.parsedStatements[name] !== statement.text) {
      this.#new.push(bound);
      wire.parse({ name, text: statement.text });
    }
    wire.bind({ statement: name, values });
    wire.execute({});
  }

  /** Records the statements that Postgres has prepared, in the order in which they were sent. */
  #watchPreparing(wire: Wire): void {
    const onPrepared = () => {
      const one = this.#new[this.#prepared];
      this.#prepared += 1;
      if (one?.name) wire.parsedStatements[one.name] = one.statement.text;
    };
    wire.on('parseComplete', onPrepared);
    this.#stopWatching = () => wire.off('parseComplete', onPrepared);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.firstRows[this.completed] ??= fields;
  }

  handleCommandComplete(): void {
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

/** Returns the text that Postgres reads as the value of a parameter. @throws TypeError */
function textOf(value: BoundValue): string | null {
  if (value === null || typeof value === 'string') return value;
  if (Array.isArray(value)) return arrayLiteral(value);
  throw new TypeError(`a parameter has a value of the type ${typeof value}`);
}

function arrayLiteral(list: readonly BoundValue[]): string {
  const elements = list.map((element) => {
    if (element === null) return 'NULL';
    if (typeof element === 'object') return arrayLiteral(element);
    return `"${element.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}
