import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfigMap, GraphQLNonNull } from 'postgraphile/graphql';
import { type FunctionRoot, fieldOf } from '../../view/function-view.ts';
import { functionArguments } from '../call-arguments-plugin.ts';
import { makePart, type RootFields } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';
import { listArguments } from '../list-arguments.ts';

/** Adds the root fields of functions to the query type and the mutation type. */
export const functionFieldsPart = makePart(
  'FunctionFieldsPlugin',
  {
    roots: (dialect) => ({
      query: rootFields(dialect, dialect.view.functions.queries),
      mutation: rootFields(dialect, dialect.view.functions.mutations),
    }),
  },
  ['RootFieldsPlugin'],
);

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

function rootFields(dialect: Dialect, roots: ReadonlyMap<string, FunctionRoot>): RootFields {
  return new Map([...roots].map(([name, root]) => [name, () => functionField(dialect, root)]));
}

/** Makes a field that calls a function. */
export function functionField(dialect: Dialect, root: FunctionRoot): Fields[string] {
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
