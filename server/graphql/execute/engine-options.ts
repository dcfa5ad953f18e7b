import { type Model, takesSession } from '../../../permissions/index.ts';
import type { Config } from '../../config/config.ts';
import type { CompileOptions } from '../compile/compilation.ts';
import { limitsOf, type OperationLimits } from '../limits/role-limits.ts';
import type { RoleView } from '../schema/view/role-view.ts';
import { searchPathOf } from '../search-path.ts';

/** Returns the options of an engine that follow from its role, the model and the settings. */
export function engineOptionsOf(view: RoleView, model: Model, config: Config) {
  const limits = limitsOf(view.role, config.limits);
  return {
    ...{ view, ...limits },
    variableNames: model.variables,
    takesSession: takesSession(model),
    searchPath: searchPathOf(model),
    headerPrefix: model.headerPrefix,
    compile: compileOptionsOf(config, limits),
  };
}

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
