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

  /** Notes the modification times of rows. Returns the same rows, so that one expression can read and note rows. */
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

  /** Returns the latest known time in ISO 8601, even when a later change may be unknown. */
  modifiedAt(): string {
    return new Date(this.#latest).toISOString();
  }

  /** Returns the latest known time; undefined when a later change may be unknown. */
  lastModified(): Printed['lastModified'] {
    return this.#isCertain ? new Date(this.#latest) : undefined;
  }
}
