import type { Position } from '../diagnostics.ts';
import type { Retry } from '../metadata/schemas/webhooks/retry.ts';

/** A webhook that is called when rows of a table change. */
export interface EventTrigger {
  /** Name of the event trigger, unique over all tables. It matches `[a-z][a-z0-9_]{0,62}`. */
  readonly name: string;
  readonly table: { readonly schema: string; readonly name: string };
  readonly operations: ReadonlySet<'insert' | 'update' | 'delete'>;
  /**
   * An update causes an event only if it changes one of these columns. Undefined: an update of any column causes an
   * event.
   */
  readonly columns: readonly string[] | undefined;
  /** Columns in the payload; undefined: all. */
  readonly payload: readonly string[] | undefined;
  /**
   * The webhook's address: a `/path` on this server or `http(s)://…`. `{{NAME}}` stands for an environment variable.
   */
  readonly webhook: string;
  /** Headers sent to the webhook. `{{NAME}}` in a value stands for an environment variable. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly retry: Retry;
  /**
   * Events of rows with equal values in these columns are delivered in order. Undefined: the order of deliveries is not
   * fixed.
   */
  readonly orderKey: readonly string[] | undefined;
  readonly position: Position;
}
