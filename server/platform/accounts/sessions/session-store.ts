import { createHash } from 'node:crypto';
import connectPgSimple from 'connect-pg-simple';
import expressSession, { type SessionData } from 'express-session';
import type pg from 'pg';
import type pino from 'pino';
import { findSession } from '../users/find-user.ts';

const secondsBetweenPrunings = 15 * 60;

const PgStore = connectPgSimple(expressSession);

/** Stores sessions in Postgres. A session and its person are read in one round trip. */
export class SessionStore extends PgStore {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool, logger: pino.Logger) {
    super({
      pool: preparing(pool),
      schemaName: 'rowgate_auth',
      tableName: 'session',
      createTableIfMissing: false,
      // The library would extend a session at each use, but sessions of the platform end at a fixed time.
      disableTouch: true,
      pruneSessionInterval: secondsBetweenPrunings,
      errorLog: (message: unknown, error: unknown) => logger.warn({ err: error }, String(message)),
    });
    this.#pool = pool;
    // When a store has a method `touch`, express-session delays the last byte of every answer until it has called this
    // method.
    Object.defineProperty(this, 'touch', { value: undefined });
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    findSession(this.#pool, id).then(
      // The person is added as a function, because the session is saved as JSON, which omits functions. So no outdated
      // person is stored.
      (found) => done(null, found && { ...found.data, person: () => found.user }),
      (error: unknown) => done(error),
    );
  }
}

/**
 * Wraps a pool so that the store's statements are prepared. Otherwise Postgres would plan each statement at each use.
 */
function preparing(pool: pg.Pool): pg.Pool {
  const query = (text: string, values: unknown[]) =>
    pool.query({ name: createHash('sha256').update(text).digest('base64url'), text, values });
  // The store uses no other method of a pool.
  return { query } as Pick<pg.Pool, 'query'> as pg.Pool;
}
