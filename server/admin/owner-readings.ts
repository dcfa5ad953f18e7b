import pg from 'pg';
import type pino from 'pino';
import { sqlState } from '../../permissions/index.ts';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { unreachable } from '../db/connection.ts';
import { BusyError } from '../db/requests/fairness/busy-error.ts';
import type { AdminCaller } from './admin-access.ts';
import { signedOut, slowReading, unknownSession } from './admin-errors.ts';
import type { OwnerSessionsOptions, OwnerWork } from './owner-sessions.ts';
import { Recent } from './recent.ts';

const maxConnections = 2;
/** Maximum number of readings that run or wait. */
const maxReadings = 20;
const connectTimeoutMs = 5000;
const statementTimeoutMs = 5000;
const idleMs = 30_000;
/** Identical readings within this time share one answer, so that several open pages cost as much as one. */
const answerMs = 1000;
/** The longest time for which a signed-out session can still read. */
const sessionMs = 5000;

const begin = `begin transaction read only; set local search_path = pg_catalog, pg_temp; set local datestyle = 'ISO'; set local statement_timeout = ${statementTimeoutMs}`;

interface OwnerReadingsOptions extends Pick<OwnerSessionsOptions, 'ownerUrl'> {
  readonly logger: pino.Logger;
}

/** Reads with a few connections of the login that applies rules. They close when they are idle. */
export class OwnerReadings {
  readonly #ownerUrl: () => string;
  readonly #logger: pino.Logger;
  readonly #limit = new ConcurrencyLimit(maxConnections);
  readonly #answers = new Recent<string>(answerMs);
  readonly #sessions = new Recent<boolean>(sessionMs);
  #pool: pg.Pool | undefined;
  #readings = 0;

  constructor({ ownerUrl, logger }: OwnerReadingsOptions) {
    this.#ownerUrl = ownerUrl;
    this.#logger = logger;
  }

  /** Returns an answer that all admins share for a moment. The key names the question with all of its parts. */
  shared(key: string, read: () => Promise<string>): Promise<string> {
    return this.#answers.get(key, read);
  }

  /** Lets the next readings see a change that was just made. */
  forgetAnswers(): void {
    this.#answers.forget();
  }

  /** Refuses a session that was ended. @throws Refusal 401 */
  async refuseSignedOut({ session }: AdminCaller): Promise<void> {
    if (!session) return;
    const isSignedOut = await this.#sessions.get(session.id, () =>
      this.run((client) =>
        session.isSignedOut(client).catch((error: unknown) => {
          throw unknownSession(error, this.#logger);
        }),
      ),
    );
    if (isSignedOut) throw signedOut();
  }

  /**
   * Runs work in a transaction that cannot write.
   * @throws BusyError when too many readings wait, Refusal 503 when a statement takes too long, ProcessError when there
   * is no login or the database does not answer
   */
  async run<T>(work: OwnerWork<T>): Promise<T> {
    const url = this.#ownerUrl();
    if (this.#readings >= maxReadings)
      throw new BusyError('other readings of admins run; try again');
    this.#readings += 1;
    try {
      return await this.#limit.run(() => this.#connected(url, work));
    } finally {
      this.#readings -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#pool?.end();
  }

  async #connected<T>(url: string, work: OwnerWork<T>): Promise<T> {
    this.#pool ??= openPool(url);
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw unreachable(url, error);
    });
    let failure: Error | undefined;
    try {
      await client.query(begin);
      return await work(client);
    } catch (error) {
      throw sqlState(error) === '57014' ? slowReading() : error;
    } finally {
      await client.query('rollback').catch((error: Error) => {
        failure = error;
      });
      client.release(failure);
    }
  }
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    ...{ connectionString, max: maxConnections, idleTimeoutMillis: idleMs },
    ...{ connectionTimeoutMillis: connectTimeoutMs, fallback_application_name: 'rowgate' },
  });
  // Without a listener, a broken idle connection would end the process. The next reading opens another one.
  pool.on('error', () => {});
  return pool;
}
