import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type {
  ChangeSource,
  Changes,
} from '../../../../../server/graphql/subscriptions/changes/changes.ts';

/** Returns what a listener learns next. Called again and again on one connection. */
export type Read = (client: pg.Client) => Promise<Changes>;

/** A source of changes that reads in any way, for ways that lose changes. It begins with the first listener. */
export class PollingSource implements ChangeSource {
  readonly #url: () => string;
  readonly #read: Read;
  readonly #listeners = new Set<(changes: Changes) => void>();
  readonly #stop = new AbortController();
  #reading: Promise<void> | undefined;

  constructor(url: () => string, read: Read) {
    this.#url = url;
    this.#read = read;
  }

  listen(onChanges: (changes: Changes) => void): () => void {
    this.#listeners.add(onChanges);
    this.#reading ??= this.#run();
    return () => this.#listeners.delete(onChanges);
  }

  wake(): void {}

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#reading;
  }

  async #run(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url() });
    await client.connect();
    await client.query('select rowgate_api.live_start()');
    while (!this.#stop.signal.aborted) {
      const changes = await this.#read(client);
      for (const onChanges of this.#listeners) onChanges(changes);
      await delay(5);
    }
    await client.end();
  }
}
