import type { LiveStream } from '../../request/live-operation.ts';
import type { Changes } from '../changes/changes.ts';
import { DependencyIndex } from '../cohorts/dependency-index.ts';
import type { Stream } from './stream.ts';

/** Passes reports to the streams that they can concern. */
export class Streams {
  /** The open streams, each with a function that removes it from the index. */
  readonly #open = new Map<Stream, () => void>();
  readonly #index = new DependencyIndex<Stream>();
  /** Whether a report has arrived, so that all changes that commit from now on will be reported. */
  #isReported = false;

  /** Opens a stream. It begins at once if changes are reported already, otherwise after the first report. */
  open(stream: Stream): void {
    this.#open.set(stream, this.#index.add(stream, occurrencesOf(stream.operation)));
    if (this.#isReported) stream.begin();
  }

  /** Continues a stream with an operation that was compiled again. */
  replace(stream: Stream, operation: LiveStream): void {
    this.#open.get(stream)?.();
    stream.replace(operation);
    this.#open.set(stream, this.#index.add(stream, occurrencesOf(operation)));
  }

  close(stream: Stream): void {
    this.#open.get(stream)?.();
    this.#open.delete(stream);
    stream.close();
  }

  onChanges({ isComplete, changes, readFrom }: Changes): void {
    this.#isReported = true;
    if (!isComplete) {
      for (const stream of [...this.#open.keys()]) if (stream.hasBegun) stream.onGap();
    }
    for (const change of isComplete ? changes : []) {
      for (const stream of this.#index.find(change)) stream.onChange(change);
    }
    for (const stream of this.#open.keys()) {
      stream.onRead(readFrom);
      stream.begin();
    }
  }

  /** Must be called when reports end. Streams that open later wait for the next report. */
  onSilence(): void {
    this.#isReported = false;
  }
}

/**
 * A stream sends rows of one table, and only reports of that table name them. Changes of tables that its rules read do
 * not concern it.
 */
function occurrencesOf({ table, dependencies }: LiveStream) {
  const own = dependencies.tables.filter((one) => one.table === table);
  return own.length > 0 ? own : [{ table, keys: new Map<string, readonly string[]>() }];
}
