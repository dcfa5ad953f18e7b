import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { makeSettingsQuery, type RequestSettings } from './read-settings.ts';

/** A literal's text, or a list that becomes an array literal. */
export type BoundValue = string | null | readonly BoundValue[];

/** One statement whose single row holds JSON texts. */
export interface ReadStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  /** Whether it is likely to come again, and so worth preparing. */
  readonly prepare: boolean;
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

/** Runs read-only statements, each in its own transaction under its own role, in one round trip. */
export class ReadPool {
  readonly #pool: pg.Pool;
  readonly #timeout: string;
  readonly #prepared = new WeakMap<pg.PoolClient, Set<string>>();

  constructor(options: ReadPoolOptions) {
    this.#timeout = String(options.statementTimeoutMs);
    this.#pool = new pg.Pool({
      connectionString: options.connectionString,
      max: options.size,
      pipeline: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: options.statementTimeoutMs + CLIENT_GRACE_MS,
      application_name: 'rowgate',
    } as pg.PoolConfig);
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
    const client = await this.#pool.connect();
    let broken = true;
    try {
      const row = await this.#transact(client, settings, statement);
      broken = false;
      return row;
    } catch (error) {
      broken = !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
      throw error;
    } finally {
      client.release(broken || this.#preparedBy(client).size >= PREPARED_LIMIT);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  // All four are on the wire before the first answer. Every setting is local to the transaction, so that whatever
  // fails, the connection falls back to the login, which may read nothing.
  async #transact(client: pg.PoolClient, settings: RequestSettings, statement: ReadStatement) {
    const set = makeSettingsQuery(settings, this.#timeout);
    this.#preparedBy(client).add(set.name);
    const name = statement.prepare
      ? this.#nameOf(client, settings.role, statement.text)
      : undefined;
    const [, configured, read, committed] = await Promise.allSettled([
      client.query('begin read only'),
      client.query({ ...set, rowMode: 'array' }),
      client.query<(string | null)[]>({
        text: statement.text,
        values: [...statement.values],
        rowMode: 'array',
        ...(name !== undefined && { name }),
      }),
      client.query('commit'),
    ]);
    for (const step of [configured, read, committed]) {
      if (step.status === 'rejected') throw step.reason;
    }
    return (
      (read as PromiseFulfilledResult<pg.QueryArrayResult<(string | null)[]>>).value.rows[0] ?? []
    );
  }

  // The role is part of the name: a plan made for one role would be made anew at each switch.
  #nameOf(client: pg.PoolClient, role: string, text: string): string {
    const name = `q${createHash('sha256').update(`${role}\0${text}`).digest('base64url')}`;
    this.#preparedBy(client).add(name);
    return name;
  }

  #preparedBy(client: pg.PoolClient): Set<string> {
    const known = this.#prepared.get(client);
    if (known) return known;
    const names = new Set<string>();
    this.#prepared.set(client, names);
    return names;
  }
}
