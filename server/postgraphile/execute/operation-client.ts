import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  PgClient,
  PgClientQuery,
  PgClientResult,
  WithPgClient,
} from 'postgraphile/@dataplan/pg';
import type { AnswerBytes } from '../../db/requests/answer-memory.ts';
import type { Ending, RunAny } from '../../db/requests/conversation.ts';
import { type RequestPool, statementName } from '../../db/requests/request-pool.ts';
import { type RequestSettings, SESSION_SETTING } from '../../db/requests/request-settings.ts';
import type { JsonRow, JsonStatement } from '../../db/requests/transaction.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { refuseSessionChange } from './session-change.ts';

export interface OperationClientOptions {
  readonly pool: RequestPool;
  readonly settings: RequestSettings;
  readonly writes: boolean;
  /** Aborts when the client no longer waits for the answer. */
  readonly signal: AbortSignal | undefined;
  /** Counts the bytes from Postgres. */
  readonly answer: AnswerBytes;
  /** Maximum bytes of an answer. */
  readonly maxBytes: number;
  /** Called when the operation has got a connection. */
  readonly onLent: () => void;
  /** Called around each statement; throws when no further statement may run. */
  readonly check: () => void;
  /** Whether the operation has run before, so that its statements are worth preparing. */
  readonly isKnown: boolean;
  /** Whether user-defined code takes part. */
  readonly hasPlugins: boolean;
}

/** The role and session variables of the caller, which plugins may read. */
export type PgSettings = Readonly<Record<string, string>>;

/** The savepoint in which the current callback runs: its client, and the operation that has made it. */
const scope = new AsyncLocalStorage<{
  readonly owner: OperationClient;
  readonly client: PgClient;
}>();

/**
 * The only access of one operation to Postgres: one transaction in the caller's role, which the first statement begins.
 * The connection comes from the shared pool, and plugins can use it for statements only.
 */
export class OperationClient {
  readonly #options: OperationClientOptions;
  readonly #ending = Promise.withResolvers<Ending>();
  readonly pgSettings: PgSettings;
  readonly withPgClient: WithPgClient;
  readonly #thrown = new WeakSet<Error>();
  #running: Promise<RunAny> | undefined;
  #conversation: Promise<void> | undefined;
  readonly #stop = new AbortController();
  #isOver = false;
  #statements = 0;
  #savepoints = 0;

  constructor(options: OperationClientOptions) {
    this.#options = options;
    this.pgSettings = settingsOf(options.settings);
    const client = this.#makeClient();
    this.withPgClient = async (given, callback) => {
      this.#refuseSettings(given);
      const around = scope.getStore();
      // Code inside a savepoint gets the client of that savepoint. The outer client waits for the end of the savepoint,
      // so it would wait forever.
      return callback(around?.owner === this ? around.client : client);
    };
  }

  /** Ends the transaction, and waits for Postgres to confirm the end of a mutation. */
  async end(commits: boolean): Promise<void> {
    const { writes, hasPlugins } = this.#options;
    this.#isOver = true;
    // Running statements are cancelled: either the operation has failed, or no step needs their rows.
    if (this.#statements > 0) this.#stop.abort(new Error('the operation is over'));
    this.#ending.resolve({ commits, isForeign: hasPlugins });
    if (writes) await this.#conversation;
  }

  /** Resolves when the connection, if the operation had one, is back in the pool. */
  async closed(): Promise<void> {
    await this.#conversation?.catch(() => {});
  }

  /**
   * Runs a statement compiled by Hasura's dialect in the transaction of this operation. Rejects as the request pool
   * does.
   */
  async row({ text, values, name }: JsonStatement): Promise<JsonRow> {
    this.#check();
    const run = await this.#begin();
    const { rows } = await run({ text, values, name, asLists: true });
    this.#options.check();
    return rows[0] ?? [];
  }

  /**
   * Counts bytes from the handler of an action. Returns false when the server has no memory for them. A mutation that
   * has run always gets memory, because its answer must not be lost.
   */
  receive(bytes: number): boolean {
    const { answer, writes, maxBytes } = this.#options;
    // After the end of the operation no bytes are counted, because their memory would never be released.
    if (this.#isOver) return false;
    if (writes) answer.receiveAnyway(bytes);
    return writes || (answer.receive(bytes) && answer.received <= maxBytes);
  }

  /** Whether the database or the connection has caused an error. */
  hasThrown(error: unknown): boolean {
    return error instanceof Error && this.#thrown.has(error);
  }

  /**
   * Verifies that role and session variables are unchanged, because a function that a plugin calls may have changed
   * them.
   * @throws RequestError
   */
  async verify(): Promise<void> {
    if (!this.#running || !this.#options.hasPlugins) return;
    const run = await this.#running;
    const { role, names, values, session } = this.#options.settings;
    const all = [
      ['role', role] as const,
      ...names.map((name) => [`gql.${name}`, values.get(name) ?? ''] as const),
      [SESSION_SETTING, session ?? ''] as const,
    ];
    const settings = all.map(([name]) => name);
    const text = `select ${settings.map((_name, index) => `pg_catalog.current_setting($${index + 1}, true)`).join(', ')}`;
    const { rows } = await run({ text, values: settings, name: undefined, asLists: true });
    const expected = all.map(([, value]) => value);
    if (JSON.stringify(rows[0]) === JSON.stringify(expected)) return;
    const cause = new Error('a plugin has changed the role or the variables of an operation');
    throw new RequestError('unexpected', 'internal error', '$', cause);
  }

  // The settings decide which rows are visible, so a plugin may not choose them.
  #refuseSettings(given: unknown): void {
    if (given === null || given === undefined || given === this.pgSettings) return;
    throw new Error(
      'withPgClient takes the pgSettings of the context; a plugin cannot choose others',
    );
  }

  #makeClient(): PgClient {
    const takeTurn = makeTurns();
    return {
      query: (query) => this.#query(query),
      withTransaction: (callback) =>
        takeTurn(() => this.#inSavepoint((client) => callback(client as never))),
    };
  }

  async #query<T>(query: PgClientQuery): Promise<PgClientResult<T>> {
    const { settings, isKnown } = this.#options;
    const { text, values = [], arrayMode = false, name } = query;
    refuseSessionChange(text);
    this.#check();
    const prepared = isKnown && name !== undefined ? statementName(settings.role, text) : undefined;
    const { rows, rowCount } = await this.#track(async () => {
      const run = await this.#begin();
      return run({ text, values, name: prepared, asLists: arrayMode });
    });
    this.#options.check();
    return { rows: rows as T[], rowCount, notices: [] };
  }

  /** Counts running statements and remembers their errors. */
  async #track<T>(work: () => Promise<T>): Promise<T> {
    this.#statements += 1;
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error) this.#thrown.add(error);
      throw error;
    } finally {
      this.#statements -= 1;
    }
  }

  async #inSavepoint<T>(callback: (client: PgClient) => Promise<T>): Promise<T> {
    const run = await this.#track(() => this.#begin());
    const name = `rowgate_${this.#savepoints++}`;
    const send = (text: string) => {
      this.#check();
      return this.#track(() => run({ text, values: [], name: undefined, asLists: true }));
    };
    await send(`savepoint ${name}`);
    const client = this.#makeClient();
    try {
      const value = await scope.run({ owner: this, client }, () => callback(client));
      await send(`release savepoint ${name}`);
      return value;
    } catch (error) {
      // If the rollback also fails, its error is ignored: the transaction is broken, so its commit fails.
      await send(`rollback to savepoint ${name}`).catch(() => {});
      throw error;
    }
  }

  #check(): void {
    if (this.#isOver) throw new Error('the operation is over; its client runs nothing any more');
    this.#options.check();
  }

  #begin(): Promise<RunAny> {
    this.#check();
    this.#running ??= this.#converse();
    return this.#running;
  }

  #follow(signal: AbortSignal | undefined): void {
    const stop = () => this.#stop.abort(signal?.reason);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  }

  #converse(): Promise<RunAny> {
    const { pool, settings, writes, answer } = this.#options;
    const { signal } = this.#stop;
    this.#follow(this.#options.signal);
    const running = Promise.withResolvers<RunAny>();
    const work = (run: RunAny) => {
      if (!this.#isOver) this.#options.onLent();
      running.resolve(run);
      return this.#ending.promise;
    };
    this.#conversation = pool.converse(settings, writes, work, { signal, answer });
    // The pool may reject after the last code that awaits it has ended.
    this.#conversation.catch(running.reject);
    return running.promise;
  }
}

/** Runs work one after the other, because releasing a savepoint also releases all later savepoints. */
function makeTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}

function settingsOf({ role, names, values }: RequestSettings): PgSettings {
  const variables = names.map((name) => [`gql.${name}`, values.get(name) ?? '']);
  return Object.freeze({ role, ...Object.fromEntries(variables) });
}
