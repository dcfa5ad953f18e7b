import type pg from 'pg';
import { lockTimeoutMs, pinSettings, withLockRetries } from '../../permissions/index.ts';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { connect } from '../db/connection.ts';
import { BusyError } from '../db/requests/fairness/busy-error.ts';

/** Maximum number of uses that run or wait. One runs at a time, because two would lock each other's roles. */
const maxUses = 5;
/** Maximum time of one use, with all of its statements, once it has begun. */
const maxUseMs = 30_000;
const lockAttempts = 4;

export interface OwnerSessionsOptions {
  /** The URL of the login that applies rules. @throws ProcessError when there is none */
  readonly ownerUrl: () => string;
  readonly statementTimeoutMs: number;
}

/** Work in a transaction of the owner, which is rolled back. */
export type OwnerWork<T> = (client: pg.ClientBase) => Promise<T>;

/** A connection of the owner for one use. */
export interface OwnerSession {
  /** Runs statements that keep their effects. */
  readonly client: pg.ClientBase;
  /** Aborts when the client disconnects or the time is over. The connection is closed then. */
  readonly signal: AbortSignal;
  /** Runs work in a transaction, and rolls it back. Begins again when another session holds a lock. */
  rolledBack<T>(work: OwnerWork<T>): Promise<T>;
}

/**
 * Opens connections of the login that applies rules, one at a time. Each use has a connection of its own, so that
 * nothing that a function of the user leaves in a session, such as an advisory lock, outlives the use.
 */
export class OwnerSessions {
  readonly #options: OwnerSessionsOptions;
  readonly #limit = new ConcurrencyLimit(1);
  #uses = 0;

  constructor(options: OwnerSessionsOptions) {
    this.#options = options;
  }

  /**
   * Runs work with a connection. Closes it when the signal aborts or the time is over, which ends the work.
   * @throws BusyError when too many uses wait, ProcessError when there is no login or the database does not answer
   */
  async use<T>(disconnected: AbortSignal, work: (session: OwnerSession) => Promise<T>): Promise<T> {
    const url = this.#options.ownerUrl();
    if (this.#uses >= maxUses) throw new BusyError('other requests of admins run; try again');
    this.#uses += 1;
    try {
      return await this.#limit.run(() => this.#connected(url, disconnected, work));
    } finally {
      this.#uses -= 1;
    }
  }

  async #connected<T>(
    url: string,
    disconnected: AbortSignal,
    work: (session: OwnerSession) => Promise<T>,
  ): Promise<T> {
    disconnected.throwIfAborted();
    const signal = AbortSignal.any([disconnected, AbortSignal.timeout(maxUseMs)]);
    const client = await connect(url);
    // Ending a connection with a running statement closes its socket. Postgres stops the statement at its own timeout.
    const stop = () => void client.end().catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    try {
      await client.query(settings(this.#options.statementTimeoutMs));
      return await work({
        ...{ client, signal },
        rolledBack: (inside) => withLockRetries(() => rolledBack(client, inside), lockAttempts),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      await client.end();
    }
  }
}

function settings(statementTimeoutMs: number): string {
  return `set search_path = pg_catalog, pg_temp; set datestyle = 'ISO'; set statement_timeout = ${statementTimeoutMs}; set lock_timeout = ${lockTimeoutMs}`;
}

async function rolledBack<T>(client: pg.ClientBase, work: OwnerWork<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query(pinSettings);
    return await work(client);
  } finally {
    // Fails only when the connection is lost, and then Postgres rolls back too.
    await client.query('rollback').catch(() => {});
  }
}
