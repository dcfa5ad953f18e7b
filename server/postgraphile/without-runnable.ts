import { Kind, parse } from 'postgraphile/graphql';
import type { GraphileModel, Model, RoleModel, Unrunnable } from '../../permissions/index.ts';
import type { Limits } from '../config/config.ts';
import { limitsOf } from '../graphql/limits/role-limits.ts';
import { RequestError } from '../graphql/request-error.ts';
import { readRegistry } from '../graphql/schema/registry/read-registry.ts';
import { makeRoleView } from '../graphql/schema/view/role-view.ts';
import { prepareDialect } from './prepare-dialect.ts';
import { type ExtensionSource, extensionsOf } from './preset/extension.ts';
import { buildRoleSchema } from './schema/role-schema.ts';
import { touchedBy } from './schema/touched-tables.ts';
import { checkDocument } from './validate/checked-document.ts';
import { documentLimits, forRole } from './validate/document-limits.ts';

type Check = (text: string, operationName: string | undefined) => boolean;

/**
 * Removes, from documents of the allow-list that do not fit Hasura's dialect, the documents that fit PostGraphile's
 * dialect for one of their roles.
 * @throws MetadataError when the preset cannot be loaded
 */
export async function withoutRunnable(
  found: readonly Unrunnable[],
  model: Model & { readonly graphile: GraphileModel },
  databaseUrl: string,
  limits: Limits,
  sources: readonly ExtensionSource[],
): Promise<readonly Unrunnable[]> {
  if (found.length === 0) return found;
  const registry = await readRegistry(databaseUrl, model.tables.values());
  const prepared = await prepareDialect({ model, registry, databaseUrl, sources });
  if (!prepared) return found;
  const { gathered, extensions } = prepared;
  const known = new Map<RoleModel, Check>();
  const checkOf = (role: RoleModel): Check => {
    const view = makeRoleView(model, role, registry, true);
    const allowed = forRole(documentLimits(model.graphile), role, limitsOf(role, limits));
    const own = extensionsOf(extensions, view);
    const schema = buildRoleSchema(gathered, view, { page: allowed.page, ...own });
    const options = { schema, limits: allowed, introspection: role.introspection };
    const touched = touchedBy(view, schema.touched, schema.openFields);
    const check: Check = (text, name) =>
      fits(() => checkDocument(text, name, { ...options, touched, isListed: undefined }));
    known.set(role, check);
    return check;
  };
  return found.filter(({ document: { text, roles } }) => {
    const names = roles === 'everybody' ? [...model.roles.keys()] : roles;
    const listed = names.flatMap((name) => (name === 'admin' ? [] : (model.roles.get(name) ?? [])));
    const isRun = operationsIn(text).every((name) =>
      listed.some((role) => (known.get(role) ?? checkOf(role))(text, name)),
    );
    return !isRun;
  });
}

function operationsIn(text: string): readonly (string | undefined)[] {
  return parse(text).definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? [node.name?.value] : [],
  );
}

function fits(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof RequestError) return false;
    throw error;
  }
}
