import { MetadataError, type Model } from '../../permissions/index.ts';
import { errorMessage } from '../errors.ts';
import type { OpenOtherDialect, OtherDialect, ServedModel } from '../graphql/other-dialect.ts';
import { type ExtensionSource, prepareDialect } from './prepare-dialect.ts';
import type { GrafastEngines } from './role-engines.ts';

/** Serves PostGraphile's own dialect where graphile.yaml wants it, and extensions in both dialects. */
export const openPostGraphile: OpenOtherDialect = openPostGraphileWith([]);

/** The same with extensions of other sources. */
export function openPostGraphileWith(sources: readonly ExtensionSource[]): OpenOtherDialect {
  return (served) => open(served, sources);
}

async function open(
  { gatewayUrl: databaseUrl, logger, ...served }: ServedModel,
  sources: readonly ExtensionSource[],
): Promise<OtherDialect | undefined> {
  const { model, registry } = served;
  if (!model.graphile && model.actions.size > 0) {
    logger.warn('no action is served: add graphile.yaml, whose endpoint has them');
  }
  const prepared = await prepareDialect({ model, registry, databaseUrl, sources });
  if (!prepared) return undefined;
  const { user, gathered, extensions, limits, catalog } = prepared;
  if (user.ignored.length > 0) {
    logger.info({ keys: user.ignored }, 'Rowgate does what these keys of the preset say by itself');
  }
  const { GrafastEngines } = await import('./role-engines.ts');
  const engines = new GrafastEngines({ ...served, user, gathered, limits, extensions, logger });
  refuseClashes(served.model, engines);
  return {
    endpoint: model.graphile?.endpoint,
    engineOf: (caller) => engines.of(caller),
    extensions: catalog && { catalog, runnerOf: (caller) => engines.runnerOf(caller) },
  };
}

/** Names of PostGraphile's own, and of what its preset makes, are found where the schema with all actions is built. */
function refuseClashes({ actions, customTypes, roles }: Model, engines: GrafastEngines): void {
  const role = roles.get('admin');
  if (actions.size === 0 || !role) return;
  try {
    engines.of({ role, variables: new Map(), isBackend: true });
  } catch (error) {
    const message = errorMessage(error);
    const name = /define the same type '(\w+)'|'(\w+)'/.exec(message);
    const clashing = name?.[1] ?? name?.[2] ?? '';
    const position = (customTypes.get(clashing) ?? actions.get(clashing))?.position;
    if (!position) throw error;
    throw new MetadataError([
      {
        ...{ code: 'RG_NAME_CONFLICT', severity: 'error', position },
        message: `"${clashing}" is a name that PostGraphile has given already`,
        hint: 'call it otherwise',
      },
    ]);
  }
}
