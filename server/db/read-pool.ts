import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { ReadClient } from './read-client.ts';
import { makeSettingsQuery, type RequestSettings } from './read-settings.ts';

/** A literal's text, or a list that becomes an array literal. */
export type BoundValue = string | null | readonly BoundValue[];

/** One statement whose single row holds JSON texts. */
export interface ReadStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  /** From {@link statementName}, for a statement that is worth preparing. */
  readonly name: string | undefined;
}

export interface ReadPoolOptions {
  readonly connectionString: string;
  /** Connections at most. */
  readonly size: number;
  /** For one statement. */
  readonly statementTimeoutMs: number;
  readonly logger: Logger;
}

/** Statements that one connection keeps prepared; past that it is replaced by a new one. */
const PREPARED_LIMIT = 300;
const CONNECT_TIMEOUT_MS = 5000;
const CLIENT_GRACE_MS = 5000;

/** The name of a prepared statement. It carries the role: a plan made for one would be made anew for another. */
export function statementName(role: string, text: string): string {
  return `q${createHash('sha256').update(`${role}\0${text}`).digest('base64url')}`;
}

/** Runs read-only statements, each in its own transaction under its own role, in one round trip. */
export class ReadPool {
  readonly #pool: pg.Pool;
  readonly #timeout: string;

  constructor(options: ReadPoolOptions) {
    this.#timeout = String(options.statementTimeoutMs);
    this.#pool = new pg.Pool({
      connectionString: options.connectionString,
      max: options.size,
      Client: ReadClient,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: options.statementTimeoutMs + CLIENT_GRACE_MS,
      application_name: 'rowgate',
    });
    const warn = (error: Error) => options.logger.warn({ err: error }, 'a connection broke');
    this.#pool.on('error', warn);
    // The pool listens to idle connections only, and an error that nobody listens to ends the process.
    this.#pool.on('connect', (client) => client.on('error', warn));
  }

  /** The statement's only row. Rejects with Postgres's error (`pg.DatabaseError`) or a connection error. */
  async read(
    settings: RequestSettings,
    statement: ReadStatement,
  ): Promise<readonly (string | null)[]> {
    // The pool makes its clients from the class that it was given.
    const client = (await this.#pool.connect()) as pg.PoolClient & ReadClient;
    let broken = true;
    try {
      const row = await this.#transact(client, settings, statement);
      broken = false;
      return row;
    } catch (error) {
      broken = !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
      throw error;
    } finally {
      client.release(broken || client.prepared.size >= PREPARED_LIMIT);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  // Every setting is local to the transaction, so that whatever fails, the connection falls back to the login,
  // which may read nothing.
  async #transact(client: ReadClient, settings: RequestSettings, statement: ReadStatement) {
    const set = makeSettingsQuery(settings, this.#timeout);
    const query = { ...statement, values: [...statement.values], rowMode: 'array' as const };
    client.prepared.add(set.name);
    if (statement.name !== undefined) client.prepared.add(statement.name);
    const [, configured, read, committed] = await client.flight(() =>
      Promise.allSettled([
        client.query('begin read only'),
        client.query({ ...set, rowMode: 'array' }),
        client.query<(string | null)[]>(query as pg.QueryArrayConfig),
        client.query('commit'),
      ]),
    );
    if (configured.status === 'rejected') throw configured.reason;
    if (read.status === 'rejected') throw read.reason;
    if (committed.status === 'rejected') throw committed.reason;
    return read.value.rows[0] ?? [];
  }
}
