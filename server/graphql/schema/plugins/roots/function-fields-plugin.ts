import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfigMap, GraphQLNonNull } from 'postgraphile/graphql';
import { type FunctionRoot, fieldOf } from '../../view/function-view.ts';
import { functionArguments } from '../call-arguments-plugin.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';
import { listArguments } from '../list-arguments.ts';

/** Adds the root fields of functions to the query type and the mutation type. */
export const FunctionFieldsPlugin: GraphileConfig.Plugin = {
  name: 'FunctionFieldsPlugin',
  version: '1.0.0',
  after: ['DialectPlugin'],
  before: ['RootFieldsPlugin'],
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope }) {
        const { rowgate } = build;
        const { queries, mutations } = rowgate.view.functions;
        if (scope.isRootQuery) return { ...fields, ...rootFields(rowgate, queries) };
        return scope.isRootMutation ? { ...fields, ...rootFields(rowgate, mutations) } : fields;
      },
    },
  },
};

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

function rootFields(dialect: Dialect, roots: ReadonlyMap<string, FunctionRoot>): Fields {
  return Object.fromEntries([...roots].map(([name, root]) => [name, rootField(dialect, root)]));
}

function rootField(dialect: Dialect, root: FunctionRoot): Fields[string] {
  const { call, table } = root;
  const description = call.model.rootDescriptions[fieldOf(root)];
  return {
    type: typeOf(dialect, root),
    args: { ...functionArguments(dialect, call), ...listArguments(dialect, table) },
    ...(description !== undefined && { description }),
  };
}

function typeOf(dialect: Dialect, { table, kind }: FunctionRoot) {
  switch (kind) {
    case 'single':
      return dialect.output(table.name);
    case 'list':
      return new GraphQLNonNull(listOf(dialect.output(table.name)));
    case 'aggregate':
      return new GraphQLNonNull(dialect.output(`${table.name}_aggregate`));
  }
}
