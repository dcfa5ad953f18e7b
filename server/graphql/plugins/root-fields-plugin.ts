import { constant } from 'postgraphile/grafast';
import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfigMap, GraphQLNonNull } from 'postgraphile/graphql';
import type { TableView } from '../view/role-view.ts';
import { type Dialect, listOf } from './dialect-plugin.ts';
import { listArguments } from './list-arguments.ts';

/** `t`, `t_by_pk` and `t_aggregate` for each table. */
export const RootFieldsPlugin: GraphileConfig.Plugin = {
  name: 'RootFieldsPlugin',
  version: '1.0.0',
  after: ['DialectPlugin'],
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isRootQuery) return fields;
        const { rowgate } = build;
        const own = [...rowgate.view.tables.values()].map((table) => rootFields(rowgate, table));
        const all = Object.assign({}, fields, ...own);
        return Object.keys(all).length > 0 ? all : noQueries(rowgate);
      },
    },
  },
};

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

function rootFields(dialect: Dialect, table: TableView): Fields {
  const fields: Fields = {};
  const description = table.model.description;
  const described = description === undefined ? {} : { description };
  if (table.columns.size > 0) {
    const type = new GraphQLNonNull(listOf(dialect.output(table.name)));
    fields[table.name] = { type, args: listArguments(dialect, table), ...described };
  }
  if (table.primaryKey.length > 0) {
    fields[`${table.name}_by_pk`] = {
      type: dialect.output(table.name),
      args: keyArguments(dialect, table),
      ...described,
    };
  }
  if (table.select.allowAggregations) {
    const type = new GraphQLNonNull(dialect.output(`${table.name}_aggregate`));
    fields[`${table.name}_aggregate`] = { type, args: listArguments(dialect, table), ...described };
  }
  return fields;
}

function keyArguments(dialect: Dialect, table: TableView) {
  const entries = table.primaryKey.map(({ name, scalar }) => [
    name,
    { type: new GraphQLNonNull(dialect.columnInput(scalar)) },
  ]);
  return Object.fromEntries(entries);
}

const NO_QUERIES = 'The role may not read any table.';

// GraphQL knows no object type without fields.
function noQueries(dialect: Dialect): Fields {
  return {
    no_queries_available: {
      type: new GraphQLNonNull(dialect.output('String')),
      description: NO_QUERIES,
      extensions: { grafast: { plan: () => constant(NO_QUERIES) } },
    },
  };
}
