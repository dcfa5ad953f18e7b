import type { TableKey } from '../../../../../permissions/index.ts';
import type { Share } from '../../../../../server/db/requests/fairness/fair-shares.ts';
import type {
  LiveQuery,
  LiveStream,
  StreamBatch,
  StreamedRow,
  StreamPlace,
  TableDependency,
} from '../../../../../server/graphql/request/live-operation.ts';
import type { RequestError } from '../../../../../server/graphql/request-error.ts';
import type {
  ChangeSource,
  Changes,
  TableChange,
} from '../../../../../server/graphql/subscriptions/changes/changes.ts';
import type { Receiver } from '../../../../../server/graphql/subscriptions/receiver.ts';

export const share: Share = { role: 'member', caller: 'one', weight: 1 };

/** Lets all resolved promises run. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

export const item = (...keys: string[]): TableChange => ({ table: 'public.item', keys, rows: [] });

export const dependsOn = (keys: Record<string, readonly string[]> = {}): TableDependency => ({
  table: 'public.item',
  keys: new Map(Object.entries(keys)),
});

/** A query whose answers the test decides, one fetch after the other. */
export class FakeQuery implements LiveQuery {
  readonly kind = 'query';
  readonly dependencies: LiveQuery['dependencies'];
  readonly cohort: string;
  readonly #running: PromiseWithResolvers<string>[] = [];
  /** The number of fetches that have begun. */
  begun = 0;

  constructor(cohort = 'a', tables: readonly TableDependency[] = [dependsOn()], isPolled = false) {
    this.cohort = cohort;
    const notLive: readonly TableKey[] = isPolled ? ['public.slow'] : [];
    this.dependencies = { tables, isPolled, notLive };
  }

  fetch(): Promise<string> {
    const answer = Promise.withResolvers<string>();
    this.begun += 1;
    this.#running.push(answer);
    return answer.promise;
  }

  /** Answers the oldest running fetch. */
  async answer(text: string): Promise<void> {
    this.#next().resolve(text);
    await settled();
  }

  async fail(error: unknown): Promise<void> {
    this.#next().reject(error);
    await settled();
  }

  #next(): PromiseWithResolvers<string> {
    const next = this.#running.shift();
    if (!next) throw new Error('no fetch is running');
    return next;
  }
}

/** A client that records its messages. */
export class FakeReceiver implements Receiver {
  readonly sent: string[] = [];
  readonly errors: RequestError[] = [];
  isFull = false;
  #resume: (() => void)[] = [];

  send(text: string): void {
    this.sent.push(text);
  }

  end(error: RequestError): void {
    this.errors.push(error);
  }

  onceReady(resume: () => void): void {
    this.#resume.push(resume);
  }

  /** Reads everything that was sent. */
  async read(): Promise<void> {
    this.isFull = false;
    for (const resume of this.#resume.splice(0)) resume();
    await settled();
  }
}

/** Reports what the test decides. */
export class FakeSource implements ChangeSource {
  readonly listeners = new Set<(changes: Changes) => void>();

  listen(onChanges: (changes: Changes) => void): () => void {
    this.listeners.add(onChanges);
    return () => this.listeners.delete(onChanges);
  }

  wake(): void {}

  async close(): Promise<void> {}

  report(changes: readonly TableChange[], isComplete = true): void {
    this.reportAll([{ isComplete, changes, readFrom: performance.now() }]);
  }

  reportAll(reports: readonly Changes[]): void {
    for (const report of reports) for (const listener of this.listeners) listener(report);
  }
}

/** A table with numbered rows. A stream of it is ordered by the numbers. */
export class FakeStream implements LiveStream {
  readonly kind = 'stream';
  readonly dependencies = { tables: [dependsOn()], isPolled: false, notLive: [] };
  readonly cohort = 's';
  readonly table = 'public.item';
  readonly cursor = ['id'];
  readonly batchSize: number;
  /** The committed rows. */
  readonly rows = new Set<number>();
  /** Called when a query has read the rows and before its answer arrives. */
  beforeAnswer: () => Promise<void> = async () => {};
  /** The number of queries that have begun. */
  begun = 0;

  constructor(batchSize = 2) {
    this.batchSize = batchSize;
  }

  async page(after: StreamPlace | undefined): Promise<StreamBatch> {
    const from = Number(after?.[0] ?? 0);
    const found = this.#sorted().filter((id) => id > from);
    return this.#answer(found.slice(0, this.batchSize));
  }

  async pick(rows: readonly StreamedRow[]): Promise<readonly StreamBatch[]> {
    const ids = new Set(rows.map(({ key }) => JSON.parse(key)[0]));
    return [await this.#answer(this.#sorted().filter((id) => ids.has(String(id))))];
  }

  async #answer(ids: readonly number[]): Promise<StreamBatch> {
    this.begun += 1;
    await this.beforeAnswer();
    const last = ids.at(-1);
    return {
      text: JSON.stringify(ids),
      keys: ids.map(keyOf),
      last: last === undefined ? undefined : [String(last)],
    };
  }

  #sorted(): readonly number[] {
    return [...this.rows].toSorted((a, b) => a - b);
  }
}

const keyOf = (id: number) => JSON.stringify([String(id)]);

/** Returns the report of inserted rows; with `moved`, of updated rows. */
export function rowsOf(
  ids: readonly number[],
  moved: readonly string[] | null = null,
): TableChange {
  const rows = ids.map((id) => ({ key: keyOf(id), moved }));
  return { table: 'public.item', keys: [], rows };
}
