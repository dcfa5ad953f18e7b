import { type GraphileModel, MetadataError, type Model } from '../../permissions/index.ts';
import { errorMessage } from '../errors.ts';
import type { OpenOtherDialect, ServedModel } from '../graphql/other-dialect.ts';
import { documentLimits } from './document-limits.ts';
import type { GrafastEngines } from './role-engines.ts';

/** Serves PostGraphile's own dialect where graphile.yaml wants it. */
export const openPostGraphile: OpenOtherDialect = async (served) => {
  const { graphile, actions } = served.model;
  if (!graphile && actions.size > 0) {
    served.logger.warn('no action is served: add graphile.yaml, whose endpoint has them');
  }
  return graphile && open(graphile, served);
};

async function open(graphile: GraphileModel, { gatewayUrl, logger, ...served }: ServedModel) {
  // Loaded late: all of stock PostGraphile comes along.
  const [{ loadPreset }, { gatherModel }, { GrafastEngines }] = await Promise.all([
    import('./load-preset.ts'),
    import('./gather.ts'),
    import('./role-engines.ts'),
  ]);
  const user = await loadPreset(graphile);
  if (user.ignored.length > 0) {
    logger.info({ keys: user.ignored }, 'Rowgate does what these keys of the preset say by itself');
  }
  const gathered = await gatherModel(gatewayUrl, served.model, user);
  const engines = new GrafastEngines({
    ...{ ...served, user, gathered, logger },
    limits: documentLimits(graphile),
  });
  refuseClashes(served.model, engines);
  return {
    endpoint: graphile.endpoint,
    engineOf: (caller: Parameters<typeof engines.of>[0]) => engines.of(caller),
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
