import type { Model } from '../../permissions/index.ts';

/**
 * Triggers and functions are often written as if everything were in `public`. That it is looked through is safe where
 * apply has seen to it that nobody else can create anything there, which it does for the schemas of all tables.
 */
export function searchPathOf(model: Model): string {
  const hasPublic = [...model.tables.values()].some(({ schema }) => schema === 'public');
  return hasPublic ? 'pg_catalog, public, pg_temp' : 'pg_catalog, pg_temp';
}
