import type { Position } from '../diagnostics.ts';
import type { Retry } from '../metadata/schemas/webhooks/retry.ts';

/** A webhook call for changes of a table's rows. */
export interface EventTrigger {
  /** Unique over all tables: `[a-z][a-z0-9_]{0,62}`. */
  readonly name: string;
  readonly table: { readonly schema: string; readonly name: string };
  readonly operations: ReadonlySet<'insert' | 'update' | 'delete'>;
  /** Updates that change none of these fire nothing; undefined: any change fires. */
  readonly columns: readonly string[] | undefined;
  /** Columns sent; undefined: all. */
  readonly payload: readonly string[] | undefined;
  /** `/path` of this platform or `http(s)://…`; may hold `{{NAME}}`, a variable of the environment. */
  readonly webhook: string;
  /** Values may hold `{{NAME}}`. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly retry: Retry;
  /** Events of rows that are equal in these columns are delivered in their order; undefined: in any. */
  readonly orderKey: readonly string[] | undefined;
  readonly position: Position;
}
