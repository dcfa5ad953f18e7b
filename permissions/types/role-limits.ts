import type { VariableName } from './names.ts';

/** How often operations may be run. */
export interface RateLimit {
  readonly requests: number;
  /** Length of the window in which they are counted. */
  readonly seconds: number;
  /**
   * Whose operations are counted together: those of one session (all of its variables), of one address, of the whole
   * role, or of equal values of these variables. Where no such variable is there, the address counts.
   */
  readonly by: 'session' | 'address' | 'role' | readonly VariableName[];
}

/** Limits on the operations of one role; the settings alone bound what is absent. */
export interface RoleLimits {
  readonly rate: RateLimit | undefined;
  /** Deepest nesting of fields. */
  readonly depth: number | undefined;
  /** Most fields of one operation, fragments counted wherever they are spread. */
  readonly nodes: number | undefined;
  /** How often conditions and orderings of one operation may follow relationships, aggregates and computed fields. */
  readonly crossings: number | undefined;
  /** Postgres's time for one statement. */
  readonly seconds: number | undefined;
  /** How much the role may hold of connections and memory beside other roles; absent: 1. */
  readonly weight: number | undefined;
}
