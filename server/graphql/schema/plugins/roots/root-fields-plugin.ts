import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfigMap, GraphQLNonNull } from 'postgraphile/graphql';
import type { RootField } from '../../../../../permissions/index.ts';
import type { RootTable } from '../../view/role-view.ts';
import type { TableView } from '../../view/table-view.ts';
import { makePart, noFields } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';
import { listArguments } from '../list-arguments.ts';

/** Adds `t`, `t_by_pk` and `t_aggregate` for each table, under the names from the metadata. */
export const rootFieldsPart = makePart('RootFieldsPlugin', {
  roots: (dialect) => {
    const { roots } = dialect.view;
    const own = [...roots].map(([name, root]) => [name, () => rootField(dialect, root)] as const);
    return { query: new Map(own), mutation: noFields };
  },
});

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

const KEYS = {
  list: 'select',
  by_pk: 'select_by_pk',
  aggregate: 'select_aggregate',
} as const satisfies Record<RootTable['kind'], RootField>;

/** Makes a field that reads a table. */
export function rootField(dialect: Dialect, { table, kind }: RootTable): Fields[string] {
  const description = table.model.rootDescriptions[KEYS[kind]];
  const described = description === undefined ? {} : { description };
  if (kind === 'by_pk') {
    return { type: dialect.output(table.name), args: keyArguments(dialect, table), ...described };
  }
  const type =
    kind === 'list'
      ? listOf(dialect.output(table.name))
      : dialect.output(`${table.name}_aggregate`);
  return { type: new GraphQLNonNull(type), args: listArguments(dialect, table), ...described };
}

/** One required argument for each column of the primary key. */
export function keyArguments(dialect: Dialect, table: TableView) {
  const entries = table.primaryKey.map(({ name, scalar }) => [
    name,
    { type: new GraphQLNonNull(dialect.columnInput(scalar)) },
  ]);
  return Object.fromEntries(entries);
}

const NO_QUERIES = 'The role cannot query any table.';

/** Adds a placeholder to an empty query type, because GraphQL does not allow an object type without fields. */
export const noQueriesPart = makePart('NoQueriesPlugin', {
  roots: (dialect) => {
    const { roots, functions, extensions } = dialect.view;
    const isEmpty = roots.size + functions.queries.size + (extensions?.queries.size ?? 0) === 0;
    const placeholder = ['no_queries_available', () => noQueries(dialect)] as const;
    return { query: new Map(isEmpty ? [placeholder] : []), mutation: noFields };
  },
});

function noQueries(dialect: Dialect): Fields[string] {
  return {
    type: new GraphQLNonNull(dialect.output('String')),
    description: NO_QUERIES,
    resolve: () => NO_QUERIES,
  };
}
