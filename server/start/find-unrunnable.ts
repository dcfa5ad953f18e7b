import type { CommandContext } from '../../permissions/index.ts';
import { actionSource } from '../actions/action-source.ts';
import type { Config } from '../config/config.ts';

/** Finds listed operations that roles cannot run, by the GraphQL schemas of the roles. */
export function findUnrunnableWith(
  { limits }: Config,
  ownerUrl: () => Promise<string>,
): NonNullable<CommandContext['findUnrunnable']> {
  return async (model) => {
    // Loaded late: it brings all of PostGraphile along.
    const { findUnrunnable } = await import('../graphql/find-unrunnable.ts');
    const { findExtensionsOf } = await import('../postgraphile/prepare-dialect.ts');
    const url = await ownerUrl();
    const sources = [actionSource()];
    const found = await findUnrunnable(model, url, limits, findExtensionsOf(sources));
    const { graphile } = model;
    if (!graphile) return found;
    const { withoutRunnable } = await import('../postgraphile/without-runnable.ts');
    return withoutRunnable(found, { ...model, graphile }, url, limits, sources);
  };
}
