import {
  defaultPreset as buildPreset,
  buildSchema,
  CommonBehaviorsPlugin,
  MutationPlugin,
  QueryPlugin,
  SubscriptionPlugin,
} from 'postgraphile/graphile-build';
import {
  __DirectiveLocation,
  __TypeKind,
  GraphQLEnumType,
  type GraphQLSchema,
  lexicographicSortSchema,
} from 'postgraphile/graphql';
import { dialectParts } from './plugins/dialect-parts.ts';
import { DialectPlugin } from './plugins/dialect-plugin.ts';
import { RootTypeNamesPlugin } from './plugins/root-type-names-plugin.ts';
import type { RoleView } from './view/role-view.ts';

// PostGraphile does not export this plugin by name. It removes types without references from the schema.
const collectPlugin = buildPreset.plugins?.find(
  ({ name }) => name === 'CollectReferencedTypesPlugin',
);

/**
 * Builds the complete schema of one role. It answers introspection; requests are checked with the types of
 * `OnDemandSchema`, which are the same. Introspection lists names in alphabetical order, as Hasura does.
 */
export function buildRoleSchema(view: RoleView): GraphQLSchema {
  const schema = buildSchema(
    {
      // The preset provides only the libraries in `build`; its plugins are not used.
      extends: [...(buildPreset.extends ?? [])],
      plugins: [
        ...(collectPlugin ? [collectPlugin] : []),
        ...[QueryPlugin, MutationPlugin, SubscriptionPlugin, CommonBehaviorsPlugin],
        ...[RootTypeNamesPlugin, DialectPlugin],
        ...dialectParts.map(({ plugin }) => plugin),
      ],
      schema: { rowgateView: view, dontSwallowErrors: true },
    },
    // The view holds everything that was read from the database.
    {} as GraphileBuild.BuildInput,
  );
  return withSortedOwnEnums(lexicographicSortSchema(schema));
}

// Sorting the schema does not sort GraphQL's own introspection enums, because all schemas share them. So the returned
// schema provides sorted copies when introspection looks up these enums by name.
function withSortedOwnEnums(schema: GraphQLSchema): GraphQLSchema {
  const types = schema.getTypeMap();
  for (const type of [__TypeKind, __DirectiveLocation]) {
    const { values, ...config } = type.toConfig();
    const sorted = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
    types[type.name] = new GraphQLEnumType({ ...config, values: Object.fromEntries(sorted) });
  }
  return schema;
}
