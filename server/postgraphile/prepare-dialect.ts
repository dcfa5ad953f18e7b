import { MetadataError, type Model } from '../../permissions/index.ts';
import { errorMessage } from '../errors.ts';
import type { Registry } from '../graphql/schema/registry/read-registry.ts';
import type { ExtensionCatalog, FindExtensions } from '../graphql/schema/view/extension-catalog.ts';
import { type Extension, type ExtensionSource, presetExtension } from './preset/extension.ts';
import type { UserPreset } from './preset/user-preset.ts';
import type { Gathered } from './schema/gather.ts';
import { documentLimits, type FileLimits } from './validate/document-limits.ts';

export interface DialectOptions {
  readonly model: Model;
  readonly registry: Registry;
  /** URL of any login. Without `reader`, the login needs privileges only on tables with the smart tag @enum. */
  readonly databaseUrl: string;
  readonly sources: readonly ExtensionSource[];
  /** The role that reads rows of tables with the smart tag @enum; absent: the login itself. */
  readonly reader?: string | undefined;
}

/** The data that PostGraphile needs to serve its own dialect and extensions, for all roles together. */
export interface PreparedDialect {
  readonly user: UserPreset;
  readonly gathered: Gathered;
  readonly extensions: readonly Extension[];
  /** The fields that extensions add to Hasura's dialect. */
  readonly catalog: ExtensionCatalog | undefined;
  readonly limits: FileLimits;
}

/**
 * Prepares the dialect. Returns undefined when the metadata has neither graphile.yaml nor extensions.
 * @throws MetadataError
 */
export async function prepareDialect(
  options: DialectOptions,
): Promise<PreparedDialect | undefined> {
  const { model, registry, databaseUrl, sources, reader } = options;
  const { graphile } = model;
  const added = await Promise.all(sources.map((extensionsIn) => extensionsIn(model)));
  const extensions = [...(graphile ? [presetExtension(graphile)] : []), ...added.flat()];
  if (extensions.length === 0) return undefined;
  // These modules load all of PostGraphile's own dialect, which takes long, so they are imported only when needed.
  const [
    { loadPreset },
    { stockPreset, withExtensions },
    { gatherModel },
    { makeExtensionCatalog },
  ] = await Promise.all([
    import('./preset/load-preset.ts'),
    import('./preset/user-preset.ts'),
    import('./schema/gather.ts'),
    import('./extension-catalog.ts'),
  ]);
  const preset = graphile ? await loadPreset(graphile) : stockPreset;
  const user = withExtensions(preset, extensions);
  const gathered = await gatherModel(databaseUrl, model, user, reader).catch((error: unknown) => {
    throw unreadableEnum(error, extensions) ?? error;
  });
  const limits = documentLimits(graphile);
  const catalog = makeExtensionCatalog({ model, registry, gathered, extensions, limits });
  return { user, gathered, extensions, catalog, limits };
}

/** Explains a failure to read @enum values: PostGraphile reads the tagged relation, and no role may read a view. */
function unreadableEnum(
  error: unknown,
  [extension]: readonly Extension[],
): MetadataError | undefined {
  const name = /could not read from enum table "(.+?)"\."(.+?)"/.exec(errorMessage(error));
  if (!name || !extension) return undefined;
  const message = `the smart tag @enum stands on "${name[1]}.${name[2]}", a view or an untracked table, whose rows cannot be read at start`;
  const hint = 'take the tag off the view, and tag the tracked table that holds the values';
  const { position } = extension;
  return new MetadataError([{ code: 'RG_GRAPHILE', severity: 'error', message, hint, position }]);
}

/** Returns a function that finds the fields and types that graphile.yaml and the sources add to Hasura's dialect. */
export function findExtensionsOf(sources: readonly ExtensionSource[]): FindExtensions {
  return async (of) => (await prepareDialect({ ...of, sources }))?.catalog;
}
