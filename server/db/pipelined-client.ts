import { Socket } from 'node:net';
import pg from 'pg';

/** A pipelining connection that hands several queries to the network at once. */
export class PipelinedClient extends pg.Client {
  /** Names of the statements that it keeps prepared. */
  readonly prepared = new Set<string>();
  readonly #socket: Socket;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    // @types/pg does not know `pipeline` yet.
    super({ ...config, pipeline: true, stream: () => socket } as pg.ClientConfig);
    this.#socket = socket;
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
}
