import { printSchema } from 'postgraphile/graphql';
import { type LoadModelOptions, loadModel, roleNamed } from '../../../permissions/index.ts';
import { readRegistry } from './registry/read-registry.ts';
import { buildRoleSchema } from './schema.ts';
import type { FindExtensions } from './view/extension-catalog.ts';
import { makeRoleView } from './view/role-view.ts';

export interface SdlOptions {
  readonly model: LoadModelOptions;
  /** Any login may read the catalogs. */
  readonly databaseUrl: string;
  /** As given on the command line. */
  readonly role: unknown;
  /** Whether rules that are `backend_only` count. */
  readonly asBackend: boolean;
  /** Absent: extensions are left out. */
  readonly extensionsOf?: FindExtensions;
}

/**
 * The schema of one role in GraphQL's own language; equal for equal rules and databases.
 * @throws MetadataError; CommandError where there is no such role
 */
export async function roleSdl(options: SdlOptions): Promise<string> {
  const model = await loadModel(options.model);
  const role = roleNamed(options.role, 'export sdl', model);
  const { databaseUrl, asBackend, extensionsOf } = options;
  const registry = await readRegistry(databaseUrl, model.tables.values());
  const catalog = await extensionsOf?.({ model, registry, databaseUrl });
  return printSchema(
    buildRoleSchema(registry, makeRoleView(model, role, registry, asBackend, catalog)),
  );
}
