import type { RawLimits, RawRate } from '../metadata/schemas/roles.ts';
import type { VariableName } from './names.ts';

/** How many operations may run in a window of `seconds`. */
export interface RateLimit extends Omit<RawRate, 'by'> {
  /**
   * Which operations count together: those of one session (equal values of all its variables), of one network address,
   * of the whole role, or with equal values of the listed variables. A caller without any of these variables is counted
   * by address.
   */
  readonly by: 'session' | 'address' | 'role' | readonly VariableName[];
}

/** Limits on the operations of one role. A limit that is absent here can still come from the settings of the server. */
export interface RoleLimits extends Omit<RawLimits, 'rate'> {
  readonly rate: RateLimit | undefined;
}
