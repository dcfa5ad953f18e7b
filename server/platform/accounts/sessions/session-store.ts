import { createHash } from 'node:crypto';
import connectPgSimple from 'connect-pg-simple';
import expressSession, { type SessionData } from 'express-session';
import type pg from 'pg';
import type pino from 'pino';
import { findSession } from '../users/find-user.ts';

const secondsBetweenPrunings = 15 * 60;

const PgStore = connectPgSimple(expressSession);

/** Sessions in Postgres; who a session stands for is found in the same round trip. */
export class SessionStore extends PgStore {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool, logger: pino.Logger) {
    super({
      pool: preparing(pool),
      schemaName: 'rowgate_auth',
      tableName: 'session',
      createTableIfMissing: false,
      // Use does not make a session longer.
      disableTouch: true,
      pruneSessionInterval: secondsBetweenPrunings,
      errorLog: (message: unknown, error: unknown) => logger.warn({ err: error }, String(message)),
    });
    this.#pool = pool;
    // For a store that could touch, express-session sends every answer's last byte by itself.
    Object.defineProperty(this, 'touch', { value: undefined });
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    findSession(this.#pool, id).then(
      // A function, since those are not stored.
      (found) => done(null, found && { ...found.data, person: () => found.user }),
      (error: unknown) => done(error),
    );
  }
}

/** The store asks the same few statements all the time, and by itself has each of them planned anew. */
function preparing(pool: pg.Pool): pg.Pool {
  const query = (text: string, values: unknown[]) =>
    pool.query({ name: createHash('sha256').update(text).digest('base64url'), text, values });
  // All that the store uses of a pool.
  return { query } as Pick<pg.Pool, 'query'> as pg.Pool;
}
