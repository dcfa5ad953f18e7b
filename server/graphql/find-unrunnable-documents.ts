import { Kind, parse } from 'postgraphile/graphql';
import type { ListedDocument, Model, RoleModel, Unrunnable } from '../../permissions/index.ts';
import type { Limits } from '../config/config.ts';
import { limitsOf } from './limits/role-limits.ts';
import { RequestError } from './request-error.ts';
import { OnDemandSchema } from './schema/on-demand-schema.ts';
import { readRegistry } from './schema/registry/read-registry.ts';
import type { FindExtensions } from './schema/view/extension-catalog.ts';
import { makeRoleView } from './schema/view/role-view.ts';
import { type CheckOptions, checkDocument } from './validate/document.ts';

/**
 * Finds documents of the allow-list with an operation that none of their roles can run. A role can run an operation
 * that fits the schema and the limits of the role. Any login can read the required catalogs.
 */
export async function findUnrunnable(
  model: Model,
  databaseUrl: string,
  limits: Limits,
  extensionsOf?: FindExtensions,
): Promise<readonly Unrunnable[]> {
  const registry = await readRegistry(databaseUrl, model.tables.values());
  const catalog = await extensionsOf?.({ model, registry, databaseUrl });
  const known = new Map<RoleModel, CheckOptions>();
  const optionsOf = (role: RoleModel): CheckOptions => {
    const hint = `; it does not exist or role "${role.name}" has no permission for it`;
    const schema = new OnDemandSchema(makeRoleView(model, role, registry, true, catalog));
    const options = { schema, role, hint, ...limitsOf(role, limits) };
    known.set(role, options);
    return options;
  };
  return model.allowList.flatMap((document) => {
    const roles = rolesOf(document, model);
    const problem = problemOf(document, roles, (role) => known.get(role) ?? optionsOf(role));
    return problem === undefined ? [] : [{ document, message: problem }];
  });
}

/** Returns the roles that may run a document. Omits roles without any rule. */
function rolesOf({ roles }: ListedDocument, model: Model): readonly RoleModel[] {
  const names = roles === 'everybody' ? [...model.roles.keys()] : roles;
  return names.flatMap((name) => (name === 'admin' ? [] : (model.roles.get(name) ?? [])));
}

/** Returns the error of the first role for an operation that no role can run. */
function problemOf(
  { text }: ListedDocument,
  roles: readonly RoleModel[],
  optionsOf: (role: RoleModel) => CheckOptions,
): string | undefined {
  for (const name of operationsIn(text)) {
    let first: string | undefined;
    // The first role can run most operations, so schemas of further roles, which take time to build, are rarely needed.
    const fits = roles.some((role) => {
      const problem = problemFor(text, name, optionsOf(role));
      first ??= problem;
      return problem === undefined;
    });
    if (!fits && first !== undefined) return first;
  }
  return undefined;
}

function operationsIn(text: string): readonly (string | undefined)[] {
  return parse(text).definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? [node.name?.value] : [],
  );
}

function problemFor(
  text: string,
  operationName: string | undefined,
  options: CheckOptions,
): string | undefined {
  try {
    checkDocument(text, operationName, options);
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error.message;
    throw error;
  }
}
