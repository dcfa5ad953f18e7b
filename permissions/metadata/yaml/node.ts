import type { Position } from '../../diagnostics.ts';

/**
 * A JSON-like value of a YAML file, with the position of every node. It is not validated. `source` is the text as
 * written: the text keeps every digit of a number, and is empty for a missing value.
 */
export type RawNode =
  | {
      readonly kind: 'scalar';
      readonly value: string | number | boolean | null;
      readonly source: string;
      readonly position: Position;
    }
  | { readonly kind: 'list'; readonly items: readonly RawNode[]; readonly position: Position }
  | { readonly kind: 'map'; readonly entries: readonly RawEntry[]; readonly position: Position };

export interface RawEntry {
  readonly key: string;
  readonly keyPosition: Position;
  readonly value: RawNode;
}

/** A name and its position. */
export interface RawName {
  readonly name: string;
  readonly position: Position;
}
