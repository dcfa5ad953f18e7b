import type { GraphileModel } from '../../permissions/index.ts';
import type { OpenOtherDialect, ServedModel } from '../graphql/other-dialect.ts';
import type { DocumentLimits } from './document-limits.ts';

/** Serves PostGraphile's own dialect where graphile.yaml wants it. */
export const openPostGraphile: OpenOtherDialect = async (served) => {
  const { graphile } = served.model;
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
  const engines = new GrafastEngines({ ...served, user, gathered, limits: limitsOf(graphile) });
  return {
    endpoint: graphile.endpoint,
    engineOf: (caller: Parameters<typeof engines.of>[0]) => engines.of(caller),
  };
}

function limitsOf({ limits }: GraphileModel): Omit<DocumentLimits, 'orderings'> {
  const { defaultRows, maxRows, ...others } = limits;
  return { ...others, page: { default: defaultRows, max: maxRows } };
}
