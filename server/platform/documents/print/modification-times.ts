import type { Row } from '../read/row-reader.ts';
import type { Printed } from './printed.ts';

const columns = [
  ...['updated_at', 'created_at', 'issued_at', 'issued_on', 'paid_at'],
  ...['opened_at', 'closed_at'],
];

/** Collects the modification times of the rows in a document. */
export class ModificationTimes {
  #latest = 0;
  #isCertain = true;

  /**
   * Notes the modification times of rows. Returns the same rows, so that reading and noting fit into one expression.
   */
  add<Found extends readonly Row[] | undefined>(rows: Found): Found {
    for (const row of rows ?? []) {
      if (typeof row.updated_at !== 'string') this.#isCertain = false;
      for (const column of columns) {
        const time = Date.parse(row[column] ?? '');
        if (time > this.#latest) this.#latest = time;
      }
    }
    return rows;
  }

  /** Makes the time unknown, for a document whose rows can be deleted without a trace. */
  markUncertain(): void {
    this.#isCertain = false;
  }

  /** Returns the latest time in ISO 8601, even when a later one may be unknown. */
  modifiedAt(): string {
    return new Date(this.#latest).toISOString();
  }

  /** Returns the latest time; undefined when a later one may be unknown. */
  lastModified(): Printed['lastModified'] {
    return this.#isCertain ? new Date(this.#latest) : undefined;
  }
}
