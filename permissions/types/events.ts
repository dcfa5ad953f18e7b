import type { Position } from '../diagnostics.ts';

/** How deliveries are tried again. */
export interface Retry {
  /** Tries after the first one. */
  readonly limit: number;
  /** Seconds before the first retry; later ones wait longer. */
  readonly interval: number;
  /** The most seconds between two tries. */
  readonly maxInterval: number;
  /** Seconds that the webhook has to answer. */
  readonly timeout: number;
}

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

/** A webhook call at set times. */
export interface Schedule {
  readonly name: string;
  /** Five fields. */
  readonly cron: string;
  /** A name of the IANA time zone database. */
  readonly timezone: string;
  readonly run:
    | { readonly kind: 'webhook'; readonly webhook: string; readonly payload: unknown }
    | { readonly kind: 'job'; readonly job: string };
  readonly retry: Retry;
  readonly position: Position;
}
