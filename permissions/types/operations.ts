import type { Position } from '../diagnostics.ts';

/** A document of the allow-list. */
export interface ListedDocument {
  readonly collection: string;
  /** Unique in its collection. */
  readonly name: string;
  readonly text: string;
  /** Equal for documents that mean the same: see `documentDigest`. */
  readonly digest: string;
  /** The roles that may run it, beside admin. */
  readonly roles: 'everybody' | readonly string[];
  readonly position: Position;
}
