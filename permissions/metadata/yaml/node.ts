import type { Position } from '../../diagnostics.ts';

/**
 * A JSON-like value of a YAML file, with the position of every node. It is not validated. `source` of a number keeps
 * every digit as written; of a text it is the text itself; where no value is written, it is empty.
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

/** A name and the place where it is written. */
export interface RawName {
  readonly name: string;
  readonly position: Position;
}
