import { Socket } from 'node:net';
import pg from 'pg';
import { isOfLostStatement } from '../operator-hint.ts';
import { requestCancel } from './cancel-request.ts';
import { PreparedStatements } from './prepared-statements.ts';

interface NamedQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly name: string | undefined;
}

/** A pipelining connection that hands several queries to the network at once. */
export class PipelinedClient extends pg.Client {
  /** The statements that it keeps prepared. */
  readonly prepared = new PreparedStatements();
  // pg's own, which its types leave out.
  declare readonly processID: number;
  declare readonly secretKey: number;
  declare readonly sslNegotiation: string;
  declare readonly connection: pg.Connection & {
    readonly stream: Socket;
    readonly parsedStatements: Readonly<Record<string, string>>;
  };
  /** Called with the number of bytes whenever some arrive. */
  onReceived: ((bytes: number) => void) | undefined;
  readonly #socket: Socket;
  #isThreatened = false;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    // @types/pg does not know `pipeline` yet.
    super({ ...config, pipeline: true, stream: () => socket } as pg.ClientConfig);
    this.#socket = socket;
    // With TLS, its stream takes the place of the socket while connecting.
    this.once('connect', () => {
      this.connection.stream.on('data', (chunk: Buffer) => this.onReceived?.(chunk.length));
    });
  }

  /** Ends the connection: everything that it runs fails with the error. */
  abandon(error: Error): void {
    this.connection.stream.destroy(error);
  }

  /** Everything that `queue` queries leaves in one write. */
  flight<T>(queue: () => T): T {
    this.#socket.cork();
    try {
      return queue();
    } finally {
      this.#socket.uncork();
    }
  }

  /** The rows of a statement, which is prepared if it has a name: the same for the same text on any connection. */
  async rows(query: NamedQuery): Promise<(string | null)[][]> {
    return (await this.result(query, true)).rows;
  }

  /** As {@link rows}, with all that Postgres says of it. It is one statement, whatever its text says. */
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
      if (isOfLostStatement(error)) this.prepared.lose();
      else if (name !== undefined && !isPrepared) this.prepared.fail(name);
      throw error;
    }
  }

  /**
   * Has Postgres stop what this runs. Until it resolves nothing else may be asked, and nothing ever where it rejects,
   * which {@link isThreatened} says.
   */
  async stopRunning(): Promise<void> {
    this.#isThreatened = true;
    await requestCancel(this);
    this.#isThreatened = false;
  }

  /** Whether something may yet be stopped that nobody meant. */
  get isThreatened(): boolean {
    return this.#isThreatened;
  }
}
