import type { Position } from '../../diagnostics.ts';

/**
 * A JSON-like value as YAML held it, with the place of every node. Nothing of it is trusted. `source` is a number as
 * it is written, digit by digit; of a text it is the text itself; it is empty where no value is written.
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
