import type pg from 'pg';
import type { Changes, TableChange } from './changes.ts';

/** A result of rowgate_api.live_changes. */
interface ReadChanges {
  readonly snapshot: string;
  /** The oldest transaction that may still run. */
  readonly oldest: string;
  readonly epoch: string | null;
  readonly hasGap: boolean | null;
  readonly changes: readonly [
    table: TableChange['table'],
    keys: readonly string[] | null,
    rows: readonly (readonly [key: readonly string[], moved: readonly string[] | null])[] | null,
  ][];
}

/** The oldest running transaction of an earlier moment. */
interface Mark {
  readonly at: number;
  readonly oldest: string;
}

/** Maximum milliseconds that Postgres may take for a call; then the connection counts as lost. */
const callTimeoutMs = 10_000;

/**
 * A reader's place in the recorded changes. The place is a snapshot of Postgres, which is also valid on another
 * connection. A transaction's number says nothing about the order of the commits, so numbers are never compared alone.
 */
export class ChangeLedger {
  readonly #keptMs: number;
  #snapshot: string | undefined;
  #epoch: string | undefined;
  readonly #marks: Mark[] = [];

  /** @param keptMs milliseconds for which changes are kept after they can be read */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** Prepares the tables. Must be called on each new connection. */
  async start(client: pg.Client): Promise<void> {
    await call(client, 'live_start()');
  }

  /** Forgets the place. The next read reports that changes may be missing. */
  forget(): void {
    this.#snapshot = undefined;
  }

  /** Returns the changes since the last read, or that they may be missing. */
  async read(client: pg.Client): Promise<Changes> {
    const readFrom = performance.now();
    const read = await call<ReadChanges>(client, 'live_changes($1)', this.#snapshot ?? null);
    if (read.epoch === null) throw new Error('the record of changes of live tables has no epoch');
    const isComplete =
      this.#snapshot !== undefined && read.epoch === this.#epoch && read.hasGap === false;
    this.#snapshot = read.snapshot;
    this.#epoch = read.epoch;
    this.#mark(readFrom, read.oldest);
    return { isComplete, changes: read.changes.map(toChange), readFrom };
  }

  /**
   * Deletes the changes of transactions that had ended when a mark was made long enough ago. The age of a transaction's
   * number says nothing: a long transaction has an old number, and becomes visible only when it commits.
   */
  async sweep(client: pg.Client): Promise<void> {
    const limit = performance.now() - this.#keptMs;
    const old = this.#marks.findLast(({ at }) => at <= limit);
    if (!old) return;
    await call(client, 'live_sweep($1)', old.oldest);
    this.#marks.splice(0, this.#marks.indexOf(old) + 1);
  }

  #mark(at: number, oldest: string): void {
    const last = this.#marks.at(-1);
    if (!last || at - last.at >= this.#keptMs / 20) this.#marks.push({ at, oldest });
  }
}

function toChange([table, keys, rows]: ReadChanges['changes'][number]): TableChange {
  return {
    ...{ table, keys },
    rows: rows === null ? null : rows.map(([key, moved]) => ({ key: JSON.stringify(key), moved })),
  };
}

async function call<T>(client: pg.Client, target: string, ...values: unknown[]): Promise<T> {
  const query = {
    ...{ text: `select rowgate_api.${target} as result`, values },
    query_timeout: callTimeoutMs,
  };
  const { rows } = await client.query<{ result: T }>(query);
  const [row] = rows;
  if (!row) throw new Error('Postgres returned no row');
  return row.result;
}
