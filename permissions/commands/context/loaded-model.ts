import { type LoadedModel, resolveModel, resolveOffline } from '../../model/load-model.ts';
import type { CommandContext } from './command.ts';
import { withSnapshot } from './connection.ts';

/** The options `--metadata` and `--catalog` of a command. */
type Options = Readonly<Record<string, unknown>>;

/**
 * Loads the metadata and resolves it against the catalog file of `--catalog`, or else against the database.
 * @throws MetadataError
 */
export async function loadedModel(options: Options, context: CommandContext): Promise<LoadedModel> {
  if (typeof options.catalog === 'string') return loadedOffline(options.catalog, options, context);
  const naming = namingOf(options, context);
  return withSnapshot(context, (client) => resolveModel({ client, ...naming }));
}

/** Loads the metadata and resolves it against a catalog file. @throws MetadataError */
export async function loadedOffline(
  catalog: string,
  options: Options,
  context: CommandContext,
): Promise<LoadedModel> {
  const { readCatalog } = await import('../../catalog/read-catalog.ts');
  return resolveOffline(await readCatalog(catalog), namingOf(options, context));
}

/** Combines the metadata folder of a command with the settings of the program. */
export function namingOf(options: Options, context: CommandContext) {
  const { rolePrefix, headerPrefix, inferFunctionPermissions, authenticatedVariables } = context;
  const metadata = String(options.metadata);
  return { metadata, rolePrefix, headerPrefix, inferFunctionPermissions, authenticatedVariables };
}
