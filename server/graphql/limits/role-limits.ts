import type { RoleModel } from '../../../permissions/index.ts';
import type { Limits } from '../../config/config.ts';

/** The limits on each operation of one role. */
export interface OperationLimits {
  readonly maxDepth: number;
  readonly maxCrossings: number;
  /** Undefined: the role has no node limit, and only the general maximum of selections applies. */
  readonly maxNodes: number | undefined;
  readonly statementTimeoutMs: number;
}

/**
 * Combines the limits of the server's settings and of the role; the smaller value applies. The other files of this
 * folder enforce them. The role's rate is read by server/graphql/handle-request.ts, its weight by
 * server/caller/caller-share.ts.
 */
export function limitsOf({ limits }: RoleModel, settings: Limits): OperationLimits {
  const { depth, nodes, crossings, seconds } = limits ?? {};
  return {
    maxDepth: Math.min(settings.depth, depth ?? settings.depth),
    maxCrossings: Math.min(settings.crossings, crossings ?? settings.crossings),
    maxNodes: nodes,
    statementTimeoutMs:
      seconds === undefined
        ? settings.statementTimeoutMs
        : Math.min(settings.statementTimeoutMs, seconds * 1000),
  };
}
