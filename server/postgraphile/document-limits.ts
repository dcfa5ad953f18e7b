import type { PageLimits } from './paging-plugin.ts';

/** What one operation may ask of Grafast, which has no limits of its own. */
export interface DocumentLimits {
  /** Words and signs of a document. */
  readonly tokens: number;
  /** Fields of an operation, those of fragments counted wherever they are spread: planning takes time for each. */
  readonly fields: number;
  /** Nested fields; `nodes`, `edges` and `node` of connections do not count. */
  readonly depth: number;
  /** Rows that all lists of an operation could have together. */
  readonly nodes: number;
  /** Values that lists are ordered by, of all lists together. */
  readonly orderings: number;
  readonly page: PageLimits;
}
