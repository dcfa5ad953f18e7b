import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type pino from 'pino';
import { backOffMs } from '../../../back-off.ts';
import { connect } from '../../../db/connection.ts';
import { loggedReason } from '../../../log/log-error.ts';
import { ChangeLedger } from './change-ledger.ts';
import type { ChangeSource, Changes } from './changes.ts';

export interface ChangeReaderOptions {
  /**
   * Returns the URL of the gateway login. It must lead to the primary, because a replica does not have the recorded
   * changes. A pooler in transaction mode may stand between.
   */
  readonly url: () => Promise<string>;
  readonly logger: pino.Logger;
  /** Milliseconds between two reads; default 25. */
  readonly intervalMs?: number;
  /**
   * Milliseconds for which recorded changes are kept; default 60,000. A reader that was behind for longer reports that
   * changes may be missing.
   */
  readonly keptMs?: number;
}

/** Minimum milliseconds between two reads, however often the reader is woken. */
const minIntervalMs = 5;
/** The waits before reconnecting. */
const backOff = { firstMs: 25, maxMs: 2_000 };

/** Reads the changes of live tables while there are listeners. It deletes old changes also without listeners. */
export class ChangeReader implements ChangeSource {
  readonly #options: ChangeReaderOptions;
  readonly #intervalMs: number;
  readonly #keptMs: number;
  readonly #listeners = new Set<{ readonly onChanges: (changes: Changes) => void }>();
  readonly #ledger: ChangeLedger;
  readonly #stop = new AbortController();
  readonly #finished: Promise<void>;
  #client: pg.Client | undefined;
  /** The number of failures in a row. */
  #failures = 0;
  #isWoken = false;
  #endPause = (): void => {};

  constructor(options: ChangeReaderOptions) {
    this.#options = options;
    this.#intervalMs = options.intervalMs ?? 25;
    this.#keptMs = options.keptMs ?? 60_000;
    this.#ledger = new ChangeLedger(this.#keptMs);
    this.#finished = this.#run();
  }

  listen(onChanges: (changes: Changes) => void): () => void {
    const listener = { onChanges };
    this.#listeners.add(listener);
    this.wake();
    return () => {
      this.#listeners.delete(listener);
      // The next listener needs no changes of the time before.
      if (this.#listeners.size === 0) this.#ledger.forget();
    };
  }

  wake(): void {
    if (this.#listeners.size === 0) return;
    this.#isWoken = true;
    this.#endPause();
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#stop.abort();
    this.#endPause();
    await this.#finished;
  }

  async #run(): Promise<void> {
    let begun = performance.now();
    for (;;) {
      await this.#pause(begun);
      if (this.#stop.signal.aborted) break;
      begun = performance.now();
      try {
        await this.#turn();
        if (this.#failures > 0) this.#options.logger.info('reading live tables again');
        this.#failures = 0;
      } catch (error) {
        await this.#disconnect();
        this.#noteFailure(error);
      }
    }
    await this.#disconnect();
  }

  /** Waits until the next turn is due, or until the reader is woken. */
  async #pause(begun: number): Promise<void> {
    const isIdle = this.#listeners.size === 0;
    const retryMs = this.#failures > 0 ? backOffMs(this.#failures, backOff) : 0;
    const wait = retryMs || (isIdle ? this.#keptMs : this.#intervalMs);
    if (!this.#isWoken && !this.#stop.signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, begun + wait - performance.now()));
        this.#endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isWoken = false;
    const least = Math.max(minIntervalMs, retryMs);
    const rest = begun + least - performance.now();
    if (rest > 0) await delay(rest, undefined, { signal: this.#stop.signal }).catch(() => {});
  }

  async #turn(): Promise<void> {
    const client = await this.#connection();
    this.#report(await this.#ledger.read(client));
    await this.#ledger.sweep(client);
    if (this.#listeners.size > 0) return;
    this.#ledger.forget();
    await this.#disconnect();
  }

  /** A listener that throws must not keep others from the changes: they will not be read again. */
  #report(changes: Changes): void {
    for (const { onChanges } of this.#listeners) {
      try {
        onChanges(changes);
      } catch (error) {
        this.#options.logger.error({ err: error }, 'a listener for changes of live tables failed');
      }
    }
  }

  async #connection(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = await connect(await this.#options.url());
    this.#client = client;
    await this.#ledger.start(client);
    return client;
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  /** Only the first of several failures is logged. The place in the record of changes stays valid. */
  #noteFailure(error: unknown): void {
    if (this.#failures === 0) {
      const reason = loggedReason(error);
      this.#options.logger.warn({ reason }, 'cannot read the changes of live tables');
    }
    this.#failures += 1;
  }
}
