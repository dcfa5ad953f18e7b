import type { StreamedRow } from '../../request/live-operation.ts';

interface Reported {
  readonly row: StreamedRow;
  /** When the last report arrived that a page may have missed although it shows the row, as `performance.now()`. */
  readonly movedAt: number | undefined;
}

/**
 * Matches the rows that pages have read with the rows that are reported, so that each is sent once. A row can be read
 * before its report arrives, or reported before a page reads it.
 */
export class RowLedger {
  /** Reported rows that are not sent yet, by key. */
  readonly #pending = new Map<string, Reported>();
  /** Rows that a page has read before they were reported, with the time of reading, the oldest first. */
  readonly #read = new Map<string, number>();

  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Adds reported rows. A row that was inserted, and that a page has read already, is not sent again. */
  report(rows: readonly StreamedRow[]): void {
    const at = performance.now();
    for (const row of rows) {
      if (row.moved === null && this.#read.delete(row.key)) continue;
      const earlier = this.#pending.get(row.key)?.row;
      // A page that shows the row has seen its insertion, but perhaps not what has happened to it afterwards.
      const movedAt = earlier || row.moved ? at : undefined;
      this.#pending.set(row.key, { row: merged(earlier, row), movedAt });
    }
  }

  /**
   * Notes the rows that a page has read.
   * @param begun when the page's query began. A row that has moved afterwards is sent again.
   */
  read(keys: readonly string[], begun: number): void {
    const at = performance.now();
    for (const key of keys) {
      const reported = this.#pending.get(key);
      if (!reported) this.#read.set(key, at);
      else if ((reported.movedAt ?? 0) < begun) this.#pending.delete(key);
    }
  }

  /** Forgets rows that pages have read before this time, because all their reports have arrived. */
  forgetReadBefore(time: number): void {
    for (const [key, at] of this.#read) {
      if (at >= time) return;
      this.#read.delete(key);
    }
  }

  /** Takes reported rows, the oldest first. */
  take(max: number): readonly StreamedRow[] {
    const taken: StreamedRow[] = [];
    for (const [key, { row }] of this.#pending) {
      if (taken.length === max) break;
      this.#pending.delete(key);
      taken.push(row);
    }
    return taken;
  }
}

/** Combines two reports of a row: it is inserted if one of them says so; otherwise both have moved columns. */
function merged(earlier: StreamedRow | undefined, later: StreamedRow): StreamedRow {
  if (!earlier) return later;
  if (!earlier.moved || !later.moved) return { key: later.key, moved: null };
  return { key: later.key, moved: [...new Set([...earlier.moved, ...later.moved])] };
}
