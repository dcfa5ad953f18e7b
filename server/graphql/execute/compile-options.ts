import type { Config } from '../../config/config.ts';
import type { CompileOptions } from '../compile/compilation.ts';
import type { OperationLimits } from '../limits/role-limits.ts';

/** Returns how the operations of a role are compiled. */
export function compileOptionsOf(
  { limits, stringifyNumericTypes }: Pick<Config, 'limits' | 'stringifyNumericTypes'>,
  { maxDepth, maxCrossings }: OperationLimits,
): CompileOptions {
  return {
    ...{ stringifyNumericTypes, maxDepth, maxCrossings },
    maxRows: limits.rows,
    maxBytes: limits.responseBytes,
    maxTables: limits.tables,
  };
}
