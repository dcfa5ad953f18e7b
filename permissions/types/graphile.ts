import type { Position } from '../diagnostics.ts';
import type { ExtensionsModel } from './extensions.ts';

/** Limits on an operation in PostGraphile's own dialect. */
export interface GraphileLimits {
  /** Words and signs of a document. */
  readonly tokens: number;
  /** Fields of an operation. */
  readonly fields: number;
  /** Deepest nesting of fields, without the wrappers of connections. */
  readonly depth: number;
  /** Rows that all lists of an operation could have together. */
  readonly nodes: number;
  /** Rows of a list without `first` and `last`. */
  readonly defaultRows: number;
  /** Most that `first` and `last` may ask for. */
  readonly maxRows: number;
}

/** graphile.yaml: how stock PostGraphile is served beside Hasura's dialect. */
export interface GraphileModel {
  /** A path, e.g. `/graphql`. */
  readonly endpoint: string;
  /** The file of a preset, from the folder of graphile.yaml on; absent: PostGraphile's own. */
  readonly config: string | undefined;
  readonly limits: GraphileLimits;
  readonly extensions: ExtensionsModel;
  readonly position: Position;
}
