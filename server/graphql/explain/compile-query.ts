import type { Model, RoleModel } from '../../../permissions/index.ts';
import type { Config } from '../../config/config.ts';
import { compileOptionsOf } from '../execute/engine-options.ts';
import { type FieldStatement, fieldStatements } from '../execute/field-statements.ts';
import type { Json } from '../json.ts';
import { limitsOf } from '../limits/role-limits.ts';
import { OnDemandSchema } from '../schema/on-demand-schema.ts';
import type { Registry } from '../schema/registry/read-registry.ts';
import { makeRoleView } from '../schema/view/role-view.ts';
import { checkDocument } from '../validate/document.ts';
import { checkVariables, readVariables } from '../validate/variables.ts';

/** A GraphQL query of one role. */
export interface QuestionedQuery {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Json | undefined;
}

/** The environment in which a query is compiled. */
export interface CompileScope {
  readonly model: Model;
  readonly registry: Registry;
  readonly config: Pick<Config, 'limits' | 'stringifyNumericTypes'>;
}

/**
 * Compiles each root field of a query into the statement that a request of the role runs.
 * @throws RequestError when the role cannot run the query, or the operation is no query
 */
export function compileQuery(
  { query, operationName, variables: raw }: QuestionedQuery,
  role: RoleModel,
  { model, registry, config }: CompileScope,
): readonly FieldStatement[] {
  const limits = limitsOf(role, config.limits);
  const view = makeRoleView(model, role, registry, true);
  const hint = `; it does not exist or role "${role.name}" has no permission for it`;
  const schema = new OnDemandSchema(view);
  const checked = checkDocument(query, operationName, { schema, role, hint, ...limits });
  const variables = readVariables(checked.operation, raw);
  checkVariables(checked.usages, variables, hint);
  return fieldStatements(view, checked, variables, compileOptionsOf(config, limits));
}
