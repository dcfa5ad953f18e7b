import { PgContextPlugin } from 'postgraphile/@dataplan/pg';
import {
  defaultPreset as buildPreset,
  buildSchema,
  CommonBehaviorsPlugin,
  MutationPlugin,
  QueryPlugin,
} from 'postgraphile/graphile-build';
import { PgBasicsPlugin, defaultPreset as pgPreset } from 'postgraphile/graphile-build-pg';
import {
  __DirectiveLocation,
  __TypeKind,
  GraphQLEnumType,
  type GraphQLSchema,
  lexicographicSortSchema,
} from 'postgraphile/graphql';
import { AggregateTypesPlugin } from './plugins/aggregate-types-plugin.ts';
import { CallArgumentsPlugin } from './plugins/call-arguments-plugin.ts';
import { DialectPlugin } from './plugins/dialect-plugin.ts';
import { AggregateBoolExpPlugin } from './plugins/inputs/aggregate-bool-exp-plugin.ts';
import { BoolExpPlugin } from './plugins/inputs/bool-exp-plugin.ts';
import { ComparisonTypesPlugin } from './plugins/inputs/comparison-types-plugin.ts';
import { InsertTypesPlugin } from './plugins/inputs/insert-types-plugin.ts';
import { OrderByPlugin } from './plugins/inputs/order-by-plugin.ts';
import { UpdateTypesPlugin } from './plugins/inputs/update-types-plugin.ts';
import { RootTypeNamesPlugin } from './plugins/root-type-names-plugin.ts';
import { ExtensionFieldsPlugin } from './plugins/roots/extension-fields-plugin.ts';
import { FunctionFieldsPlugin } from './plugins/roots/function-fields-plugin.ts';
import { MutationFieldsPlugin } from './plugins/roots/mutation-fields-plugin.ts';
import { RootFieldsPlugin } from './plugins/roots/root-fields-plugin.ts';
import { ScalarTypesPlugin } from './plugins/scalar-types-plugin.ts';
import { TableTypesPlugin } from './plugins/table-types-plugin.ts';
import { aggregateSpecsPlugin, type Registry } from './registry/read-registry.ts';
import type { RoleView } from './view/role-view.ts';

// PostGraphile does not export this plugin by name. It removes types without references from the schema.
const collectPlugin = buildPreset.plugins?.find(
  ({ name }) => name === 'CollectReferencedTypesPlugin',
);

/** Builds the schema of one role from the registry. Introspection lists names in alphabetical order, as Hasura does. */
export function buildRoleSchema(registry: Registry, view: RoleView): GraphQLSchema {
  const schema = buildSchema(
    {
      // The presets provide only the libraries in `build`; their plugins are not used.
      extends: [...(buildPreset.extends ?? []), ...(pgPreset.extends ?? [])],
      plugins: [
        ...(collectPlugin ? [collectPlugin] : []),
        QueryPlugin,
        MutationPlugin,
        CommonBehaviorsPlugin,
        PgBasicsPlugin,
        PgContextPlugin,
        aggregateSpecsPlugin,
        RootTypeNamesPlugin,
        DialectPlugin,
        ScalarTypesPlugin,
        CallArgumentsPlugin,
        ComparisonTypesPlugin,
        TableTypesPlugin,
        BoolExpPlugin,
        AggregateBoolExpPlugin,
        OrderByPlugin,
        AggregateTypesPlugin,
        FunctionFieldsPlugin,
        RootFieldsPlugin,
        InsertTypesPlugin,
        UpdateTypesPlugin,
        MutationFieldsPlugin,
        ExtensionFieldsPlugin,
      ],
      schema: { rowgateView: view, dontSwallowErrors: true },
    },
    registry.input,
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
