import type { Row } from '../read/reader.ts';
import type { Printed } from './printed.ts';

const columns = [
  ...['updated_at', 'created_at', 'issued_at', 'issued_on', 'paid_at'],
  ...['opened_at', 'closed_at'],
];

/** When the rows that a document is made of changed. */
export class Times {
  #latest = 0;
  #isCertain = true;

  /** Takes rows into account and gives them back. */
  note<Found extends readonly Row[] | undefined>(rows: Found): Found {
    for (const row of rows ?? []) {
      if (typeof row.updated_at !== 'string') this.#isCertain = false;
      for (const column of columns) {
        const time = Date.parse(row[column] ?? '');
        if (time > this.#latest) this.#latest = time;
      }
    }
    return rows;
  }

  /** For a document from which rows can be taken away without a trace. */
  doubt(): void {
    this.#isCertain = false;
  }

  /** The latest that is known; ISO 8601. */
  modifiedAt(): string {
    return new Date(this.#latest).toISOString();
  }

  lastModified(): Printed['lastModified'] {
    return this.#isCertain ? new Date(this.#latest) : undefined;
  }
}
