import type {
  OpenOtherDialect,
  OtherDialect,
  OtherDialectOptions,
} from '../graphql/other-dialect.ts';
import { prepareDialect } from './prepare-dialect.ts';
import type { ExtensionSource } from './preset/extension.ts';

/** Serves PostGraphile's own dialect if graphile.yaml exists, and extensions in both dialects. */
export function openPostGraphile(sources: readonly ExtensionSource[]): OpenOtherDialect {
  return (served) => open(served, sources);
}

async function open(
  { gatewayUrl: databaseUrl, logger, ...served }: OtherDialectOptions,
  sources: readonly ExtensionSource[],
): Promise<OtherDialect | undefined> {
  const { model, registry } = served;
  // The role that reads tables with @enum. The gateway login cannot read them, because it has no privileges on tables.
  const reader = model.roles.get('admin')?.postgresName;
  const prepared = await prepareDialect({ model, registry, databaseUrl, sources, reader });
  if (!prepared) return undefined;
  const { user, gathered, extensions, limits, catalog } = prepared;
  if (user.ignored.length > 0) {
    logger.info(
      { keys: user.ignored },
      'these keys of the preset have no effect: Rowgate replaces these parts of PostGraphile',
    );
  }
  const { PostGraphileEngines } = await import('./postgraphile-engines.ts');
  const engines = new PostGraphileEngines({ ...served, user, gathered, limits, extensions });
  return {
    endpoint: model.graphile?.endpoint,
    engineOf: (caller) => engines.of(caller),
    extensions: catalog && { catalog, runnerOf: (caller) => engines.runnerOf(caller) },
  };
}
