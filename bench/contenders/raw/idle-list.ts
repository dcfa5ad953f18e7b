/** Lends each of a fixed number of connections to one caller at a time, in the order of their requests. */
export class IdleList<Connection> {
  readonly #idle: Connection[];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(connections: readonly Connection[]) {
    this.#idle = [...connections];
  }

  async use<Result>(run: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = this.#idle.pop() ?? (await this.#next());
    try {
      return await run(connection);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(connection);
      else this.#idle.push(connection);
    }
  }

  #next(): Promise<Connection> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
