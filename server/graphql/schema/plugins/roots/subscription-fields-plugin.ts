import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfigMap, GraphQLList, GraphQLNonNull } from 'postgraphile/graphql';
import type { StreamRoot } from '../../view/role-view.ts';
import { makePart, noFields } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';
import { functionField } from './function-fields-plugin.ts';
import { rootField } from './root-fields-plugin.ts';

const ORDERINGS = {
  ASC: { description: 'ascending' },
  DESC: { description: 'descending' },
};

/** Adds the fields of the subscription type: the query fields that can be watched, and `t_stream`. */
export const subscriptionFieldsPart = makePart('SubscriptionFieldsPlugin', {
  types(build) {
    if (build.rowgate.view.subscriptions.streams.size === 0) return;
    const values = () => ({ values: ORDERINGS, description: 'the direction of a cursor' });
    build.registerEnumType('cursor_ordering', {}, values, 'cursor_ordering');
  },
  tableTypes(build, table) {
    const { rowgate } = build;
    const stream = [...rowgate.view.subscriptions.streams.values()].find(
      (one) => one.table === table,
    );
    if (stream) registerCursors(build, stream);
  },
  roots: (dialect) => {
    const { tables, functions, streams } = dialect.view.subscriptions;
    const own = [
      ...[...tables].map(([name, root]) => [name, () => rootField(dialect, root)] as const),
      ...[...functions].map(([name, root]) => [name, () => functionField(dialect, root)] as const),
      ...[...streams].map(([name, root]) => [name, () => streamField(dialect, root)] as const),
    ];
    return { query: noFields, mutation: noFields, subscription: new Map(own) };
  },
});

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

function registerCursors(build: GraphileBuild.Build, { table, cursors }: StreamRoot): void {
  const { rowgate } = build;
  const value = `${table.name}_stream_cursor_value_input`;
  const item = `${table.name}_stream_cursor_input`;
  const columns = () =>
    [...cursors.values()].map(
      ({ name, scalar }) => [name, { type: rowgate.columnInput(scalar) }] as const,
    );
  build.registerInputObjectType(
    value,
    {},
    () => ({
      fields: () => Object.fromEntries(columns()),
      description:
        'the value after which a stream begins; null: the stream begins with the first row',
    }),
    value,
  );
  build.registerInputObjectType(
    item,
    {},
    () => ({
      fields: () => ({
        initial_value: { type: new GraphQLNonNull(rowgate.input(value)) },
        ordering: { type: rowgate.input('cursor_ordering'), description: 'default: ASC' },
      }),
      description: 'a column by which rows are streamed',
    }),
    item,
  );
}

function streamField(dialect: Dialect, { table }: StreamRoot): Fields[string] {
  const description = table.model.rootDescriptions.select_stream;
  const cursor = new GraphQLList(dialect.input(`${table.name}_stream_cursor_input`));
  return {
    type: new GraphQLNonNull(listOf(dialect.output(table.name))),
    args: {
      batch_size: {
        type: new GraphQLNonNull(dialect.input('Int')),
        description: 'maximum number of rows of one message',
      },
      cursor: {
        type: new GraphQLNonNull(cursor),
        description: 'the columns by which rows are streamed, and where the stream begins',
      },
      where: { type: dialect.input(`${table.name}_bool_exp`) },
    },
    ...(description !== undefined && { description }),
  };
}
