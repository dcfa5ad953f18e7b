import type { Position } from '../diagnostics.ts';
import type { Retry } from '../metadata/schemas/webhooks/retry.ts';

/** A webhook that is called when rows of a table change. */
export interface EventTrigger {
  /** Unique over all tables: `[a-z][a-z0-9_]{0,62}`. */
  readonly name: string;
  readonly table: { readonly schema: string; readonly name: string };
  readonly operations: ReadonlySet<'insert' | 'update' | 'delete'>;
  /** An update fires only if it changes one of these columns. Undefined: any change fires. */
  readonly columns: readonly string[] | undefined;
  /** Columns in the payload; undefined: all. */
  readonly payload: readonly string[] | undefined;
  /** A `/path` on this server or `http(s)://…`. It may hold `{{NAME}}`, an environment variable. */
  readonly webhook: string;
  /** Values may hold `{{NAME}}`. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly retry: Retry;
  /** Events of rows with equal values in these columns are delivered in order. Undefined: in any order. */
  readonly orderKey: readonly string[] | undefined;
  readonly position: Position;
}
