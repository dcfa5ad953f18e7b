import type { PgResource } from 'postgraphile/@dataplan/pg';
import { constant, get, type Step } from 'postgraphile/grafast';
import type {} from 'postgraphile/graphile-build-pg';
import { GraphQLList, GraphQLNonNull, isOutputType } from 'postgraphile/graphql';
import type { ExtensionRelationship } from '../../../permissions/index.ts';

/**
 * Adds relationships from the types of extensions to tables. PostGraphile itself reads the rows, so the same rules and
 * limits apply as to its other fields. Omits relationships to tables that the schema does not have. `extensionsOf` has
 * checked that the role may compare the columns.
 */
export function relationshipsPlugin(
  relationships: readonly ExtensionRelationship[],
): GraphileConfig.Plugin {
  const byType = Map.groupBy(relationships, ({ typeName }) => typeName);
  return {
    name: 'RowgateRelationshipsPlugin',
    schema: {
      hooks: {
        GraphQLObjectType_fields: (fields, build, { Self, fieldWithHooks }) => {
          const made = (byType.get(Self.name) ?? []).flatMap((one) => {
            const resource = resourceOf(one, build);
            const type = resource && build.getGraphQLTypeByPgCodec(resource.codec, 'output');
            if (!resource || !isOutputType(type)) return [];
            const isList = one.kind === 'array';
            const scope = {
              ...{ fieldName: one.name, pgFieldResource: resource },
              ...(isList && { isPgFieldSimpleCollection: true }),
            };
            const field = fieldWithHooks(scope, () => ({
              type: isList ? new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type))) : type,
              ...(one.description !== undefined && { description: one.description }),
              plan: ($parent: Step) => planOf(one, resource, $parent),
            }));
            return [[one.name, field] as const];
          });
          return build.extend(fields, Object.fromEntries(made), 'relationships of extensions');
        },
      },
    },
  };
}

function resourceOf(
  { table }: ExtensionRelationship,
  build: GraphileBuild.Build,
): PgResource | undefined {
  return Object.values(build.input.pgRegistry.pgResources).find(({ codec, parameters }) => {
    const { schemaName, name } = codec.extensions?.pg ?? {};
    return !parameters && codec.attributes && `${schemaName}.${name}` === table;
  });
}

function planOf(
  { kind, mapping }: ExtensionRelationship,
  resource: PgResource,
  $parent: Step,
): Step {
  const values = mapping.map(({ field, column }) => [column, get($parent, field)] as const);
  const $rows = resource.find(Object.fromEntries(values));
  if (kind === 'array') return $rows;
  $rows.setFirst(constant(1));
  return $rows.single();
}
