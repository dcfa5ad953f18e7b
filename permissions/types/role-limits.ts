import type { RawLimits, RawRate } from '../metadata/schemas/roles.ts';
import type { VariableName } from './names.ts';

/** How many operations may run in a window of `seconds`. */
export interface RateLimit extends Omit<RawRate, 'by'> {
  /**
   * The operations that count together: of one session (equal values of all its variables), of one address, of the
   * whole role, or of equal values of the listed variables. A caller with none of those variables is counted by address.
   */
  readonly by: 'session' | 'address' | 'role' | readonly VariableName[];
}

/** Limits on the operations of one role. Settings of the server alone bound what is absent here. */
export interface RoleLimits extends Omit<RawLimits, 'rate'> {
  readonly rate: RateLimit | undefined;
}
