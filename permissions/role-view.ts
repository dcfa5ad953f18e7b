/**
 * The functions from which the server builds the schema of a role. They are not in index.ts, because a thread builds
 * schemas, too, and starts twice as fast without the YAML parser and the compiler.
 */
export { functionAccess } from './access/owner-calls.ts';
export { joinColumns } from './access/rows.ts';
export { tableAccess } from './access/table-access.ts';
export { tablesOf } from './expressions/dependencies.ts';
export { grantedColumns } from './expressions/granted-columns.ts';
export { comparisonOperators } from './expressions/operators.ts';
export { takenGraphqlNames } from './model/conflicts/name-conflicts.ts';
export { readEnumValues } from './model/enums/enum-values.ts';
export { argumentNames } from './model/functions/function-arguments.ts';
export { graphqlName } from './text/names.ts';
export { runAtOnce } from './types/steps.ts';
