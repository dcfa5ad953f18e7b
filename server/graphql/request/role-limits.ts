import type { RoleModel } from '../../../permissions/index.ts';
import type { Limits } from '../../config/config.ts';

/** What bounds the operations of one role. */
export interface OperationLimits {
  readonly maxDepth: number;
  readonly maxCrossings: number;
  /** Absent: as many as any operation may have. */
  readonly maxNodes: number | undefined;
  readonly statementTimeoutMs: number;
}

/** Of what settings and the role say, the smaller counts. */
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
