import { backOffMs } from '../../../back-off.ts';
import type { Share } from '../../../db/requests/fairness/fair-shares.ts';
import { decodeAnswer } from '../../answer-text.ts';
import type { LiveStream, StreamBatch, StreamPlace } from '../../request/live-operation.ts';
import { RequestError } from '../../request-error.ts';
import type { TableChange } from '../changes/changes.ts';
import type { Receiver } from '../receiver.ts';
import type { RefetchQueue } from '../refetch-queue.ts';
import type { SubscriptionMetrics } from '../subscription-metrics.ts';
import { fetchBackOff, isTemporary } from '../temporary.ts';
import { RowLedger } from './row-ledger.ts';

export interface StreamOptions {
  readonly operation: LiveStream;
  readonly share: Share;
  readonly receiver: Receiver;
  readonly queue: RefetchQueue;
  readonly metrics: SubscriptionMetrics;
  /** Called when the stream cannot continue. The caller closes the stream then. */
  fail(error: unknown): void;
}

/** Maximum reported rows that wait for a client that reads slowly. */
const maxPending = 50_000;

/**
 * One stream of rows. It reads pages until it has reached the end, and then the rows that are reported. Rows whose
 * transaction commits late have an old cursor, so only reports can find them.
 */
export class Stream {
  readonly #options: StreamOptions;
  readonly #rows = new RowLedger();
  readonly #stop = new AbortController();
  #operation: LiveStream;
  #place: StreamPlace | undefined;
  /** Resumes the stream when it waits for rows. */
  #wake: () => void = () => {};
  /** Ends any other wait when the stream closes. */
  #cancelWait: () => void = () => {};
  /** Drops the query that waits in the queue. */
  #leaveQueue: () => void = () => {};
  #hasBegun = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#operation = options.operation;
  }

  get operation(): LiveStream {
    return this.#operation;
  }

  /** Whether the stream has read rows, so that it needs the reports of all later changes. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Reads the first page. Called when all changes that commit from now on will be reported. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    void this.#run();
  }

  /** Continues with an operation that was compiled again. */
  replace(operation: LiveStream): void {
    this.#operation = operation;
  }

  /** Takes rows of a report. The change can concern this stream. */
  onChange({ rows }: TableChange): void {
    // A stream that has not begun reads these rows by its first pages.
    if (!this.#hasBegun) return;
    if (rows === null) {
      this.#fail(gap('a statement has changed too many rows at once'));
      return;
    }
    this.#rows.report(rows);
    if (this.#rows.pendingCount > maxPending)
      this.#fail(gap('the client reads too slowly for the rows that arrive'));
    else this.#wake();
  }

  /** @param readFrom all changes that were committed before this time are reported */
  onRead(readFrom: number): void {
    this.#rows.forgetReadBefore(readFrom);
  }

  /** Ends the stream because changes may be missing. */
  onGap(): void {
    this.#fail(gap('changes of the table may have been missed'));
  }

  close(): void {
    this.#stop.abort();
    this.#leaveQueue();
    this.#wake();
    this.#cancelWait();
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isStopped && (await this.#readPage()));
      while (!this.#isStopped) await this.#sendReported();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Returns false when the page was the last one. */
  async #readPage(): Promise<boolean> {
    await this.#untilReady();
    let begun = performance.now();
    const batch = await this.#query((operation, signal) => {
      begun = performance.now();
      return operation.page(this.#place, signal);
    });
    if (!batch || batch.last === undefined) return false;
    this.#rows.read(batch.keys, begun);
    this.#place = batch.last;
    this.#send(batch);
    return batch.keys.length >= this.#operation.batchSize;
  }

  async #sendReported(): Promise<void> {
    if (this.#rows.pendingCount === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      return;
    }
    await this.#untilReady();
    const rows = this.#rows.take(this.#operation.batchSize);
    const batches = await this.#query((operation, signal) => operation.pick(rows, signal));
    for (const batch of batches ?? []) {
      await this.#untilReady();
      if (batch.keys.length > 0) this.#send(batch);
    }
  }

  /** Runs a query when it is this caller's turn. Tries again while the database does not answer. */
  async #query<T>(
    run: (operation: LiveStream, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    for (let failures = 1; !this.#isStopped; failures += 1) {
      try {
        return await this.#inTurn(() => run(this.#operation, this.#stop.signal));
      } catch (error) {
        if (!isTemporary(error)) throw error;
        const waitMs = backOffMs(failures, fetchBackOff);
        await this.#wait((resume) => setTimeout(resume, waitMs).unref());
      }
    }
    return undefined;
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const { queue, share } = this.#options;
    return new Promise((resolve, reject) => {
      this.#leaveQueue = queue.add({ share, work: () => run().then(resolve, reject) });
    });
  }

  /** Waits while the client has not read the rows that were sent. */
  async #untilReady(): Promise<void> {
    const { receiver } = this.#options;
    while (!this.#isStopped && receiver.isFull) {
      await this.#wait((resume) => receiver.onceReady(resume));
    }
  }

  async #wait(begin: (resume: () => void) => void): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#cancelWait = resolve;
      begin(resolve);
    });
  }

  #send({ text }: StreamBatch): void {
    if (this.#isStopped) return;
    this.#options.receiver.send(decodeAnswer(text));
    this.#options.metrics.messages.inc({ kind: 'stream' });
  }

  #fail(error: unknown): void {
    if (!this.#isStopped) this.#options.fail(error);
  }

  get #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }
}

function gap(reason: string): RequestError {
  const hint = 'open the stream again with the cursor of the last row that you have received';
  return new RequestError('stream-interrupted', `${reason}; ${hint}`);
}
