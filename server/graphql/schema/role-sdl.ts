import { printSchema } from 'postgraphile/graphql';
import { type LoadModelOptions, loadModel, roleNamed } from '../../../permissions/index.ts';
import { readRegistry } from './registry/read-registry.ts';
import { buildRoleSchema } from './schema.ts';
import type { FindExtensions } from './view/extension-catalog.ts';
import { makeRoleView } from './view/role-view.ts';

export interface SdlOptions {
  readonly model: LoadModelOptions;
  /** URL of any login, since only the catalogs are read. */
  readonly databaseUrl: string;
  /** Name from the command line. */
  readonly role: unknown;
  /** True if rules marked `backend_only` apply. They are for trusted back ends, which send the admin secret. */
  readonly asBackend: boolean;
  /** Undefined: the schema contains no extensions. */
  readonly extensionsOf?: FindExtensions;
}

/**
 * Returns the schema of one role in the schema definition language. Equal rules and databases give equal texts.
 * @throws MetadataError; CommandError when the role does not exist
 */
export async function roleSdl(options: SdlOptions): Promise<string> {
  const model = await loadModel(options.model);
  const role = roleNamed(options.role, 'export sdl', model);
  const { databaseUrl, asBackend, extensionsOf } = options;
  const registry = await readRegistry(databaseUrl, model.tables.values());
  const catalog = await extensionsOf?.({ model, registry, databaseUrl });
  return printSchema(buildRoleSchema(makeRoleView(model, role, registry, asBackend, catalog)));
}
