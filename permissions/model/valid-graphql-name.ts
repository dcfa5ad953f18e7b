import type { Report } from '../diagnostics.ts';
import type { RawName } from '../metadata/yaml/node.ts';
import { graphqlName } from '../text/names.ts';

/**
 * Returns the given name if GraphQL allows it. Undefined without a name, or after an invalid name, which is reported.
 */
export function validGraphqlName(given: RawName | undefined, report: Report): string | undefined {
  if (!given) return undefined;
  const possible = graphqlName(given.name);
  if (given.name === possible) return possible;
  report.error(
    'RG_GRAPHQL_NAME',
    given.position,
    `"${given.name}" is no name in GraphQL`,
    `use letters, digits and underscores, e.g. "${possible}"`,
  );
  return undefined;
}
