import type { RawLimits, RawRate } from '../metadata/schemas/roles.ts';
import type { VariableName } from './names.ts';

/** Maximum number of operations in a window of `seconds`. */
export interface RateLimit extends Omit<RawRate, 'by'> {
  /**
   * Determines which operations share one counter: operations of one session (equal values of all its variables), of
   * one network address, of the whole role, or with equal values of the listed variables. A caller that has none of
   * these variables is counted by address.
   */
  readonly by: 'session' | 'address' | 'role' | readonly VariableName[];
}

/** Limits on the operations of one role. A limit that is absent here can still come from the settings of the server. */
export interface RoleLimits extends Omit<RawLimits, 'rate'> {
  readonly rate: RateLimit | undefined;
}
