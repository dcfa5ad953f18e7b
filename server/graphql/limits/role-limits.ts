import type { RoleModel } from '../../../permissions/index.ts';
import type { Limits } from '../../config/config.ts';

/** Limits of the operations of one role. */
export interface OperationLimits {
  readonly maxDepth: number;
  readonly maxCrossings: number;
  /** Maximum number of selected fields; undefined: no limit of the role's own. */
  readonly maxNodes: number | undefined;
  readonly statementTimeoutMs: number;
}

/** Combines the limits of the settings and of the role: the smaller one applies. */
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
