import pg from 'pg';

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
  readonly rows: readonly (readonly (string | null)[])[];
  /** The number of statements that were completed. An error after the last one comes from the commit. */
  readonly completed: number;
  /** The names of statements that this flight tried to prepare without success. */
  readonly unprepared: readonly string[];
  /** Absent: Postgres has committed. */
  readonly error?: unknown;
}

interface BoundStatement {
  /** Empty for a statement that is not prepared. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** Members of the protocol connection that the types of pg leave out or describe otherwise. */
interface Wire {
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

/**
 * Several statements in one network write and under one Sync message, which makes them one implicit transaction. After
 * an error Postgres skips the others and rolls back, so no statement runs without the settings before it.
 *
 * A query of pg ends with its own Sync, which would end the transaction. pg accepts other queries in its pipeline mode
 * only if they extend its own class. This class therefore overrides the methods that pg's client calls; its messages are
 * those that a query of pg sends too.
 */
export class Flight extends pg.Query {
  readonly #statements: readonly BoundStatement[];
  readonly #rows: (readonly (string | null)[])[] = [];
  readonly #new: BoundStatement[] = [];
  #completed = 0;
  #prepared = 0;
  #land: (() => void) | undefined;

  /** Called when the flight has ended. pg's client wraps it to clear its query timeout as well. */
  callback: (error: unknown) => void;

  /** Milliseconds after which pg's client gives up; undefined: the limit of the connection. */
  readonly query_timeout: number | undefined;

  /** @throws TypeError when a value is neither a text nor a list, so that nothing is sent half */
  constructor(
    statements: readonly FlightStatement[],
    landed: (landing: Landing) => void,
    maxMs?: number,
  ) {
    super('');
    this.query_timeout = maxMs;
    this.#statements = statements.map(({ name = '', text, values }) => ({
      ...{ name, text },
      values: values.map(textOf),
    }));
    this.callback = (error) => {
      this.#land?.();
      landed({
        rows: this.#rows,
        completed: this.#completed,
        unprepared: this.#new.slice(this.#prepared).flatMap(({ name }) => name || []),
        ...(error != null && { error }),
      });
    };
  }

  override submit = (connection: pg.Connection): null => {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    for (const statement of this.#statements) this.#send(statement, wire);
    if (this.#new.length > 0) this.#watchPreparing(wire);
    wire.sync();
    wire.stream.uncork();
    return null;
  };

  #send(statement: BoundStatement, wire: Wire): void {
    const { name, text, values } = statement;
    // A flight may contain a statement twice, and Postgres prepares no name twice.
    const isNew = name === '' || !this.#new.some((one) => one.name === name);
    if (isNew && wire.parsedStatements[name] !== text) {
      this.#new.push(statement);
      wire.parse({ name, text });
    }
    wire.bind({ statement: name, values });
    wire.execute({});
  }

  /** Records the statements that Postgres has prepared, in the order in which they were sent. */
  #watchPreparing(wire: Wire): void {
    const onPrepared = () => {
      const statement = this.#new[this.#prepared];
      this.#prepared += 1;
      if (statement?.name) wire.parsedStatements[statement.name] = statement.text;
    };
    wire.on('parseComplete', onPrepared);
    this.#land = () => wire.off('parseComplete', onPrepared);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#rows[this.#completed] ??= fields;
  }

  handleCommandComplete(): void {
    this.#completed += 1;
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}

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
