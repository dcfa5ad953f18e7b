import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfig, GraphQLList, GraphQLNonNull } from 'postgraphile/graphql';
import type { TableView } from '../../view/table-view.ts';
import { type MutationField, returnsRows } from '../../view/table-writes.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';
import { conflictArgument } from '../inputs/insert-types-plugin.ts';
import { changeArguments, whereType } from '../inputs/update-types-plugin.ts';
import { keyArguments } from './root-fields-plugin.ts';

/** Adds `insert_t`, `update_t`, `delete_t` and similar fields for each table, and defines their result types. */
export const MutationFieldsPlugin: GraphileConfig.Plugin = {
  name: 'MutationFieldsPlugin',
  version: '1.0.0',
  after: ['DialectPlugin'],
  schema: {
    hooks: {
      init(_, build) {
        const { rowgate } = build;
        for (const table of rowgate.view.tables.values()) {
          if (!table.insert && !table.update && !table.delete) continue;
          const name = `${table.name}_mutation_response`;
          build.registerObjectType(
            name,
            {},
            () => ({ fields: () => responseFields(rowgate, table) }),
            name,
          );
        }
        return _;
      },
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isRootMutation) return fields;
        const { rowgate } = build;
        const own = [...rowgate.view.mutations.values()].map((field) => [
          field.name,
          { ...mutationField(rowgate, field), ...description(field) },
        ]);
        return Object.assign({}, fields, Object.fromEntries(own));
      },
    },
  },
};

function description({ table, kind }: MutationField) {
  const text = table.model.rootDescriptions[kind];
  return text === undefined ? {} : { description: text };
}

function responseFields(dialect: Dialect, table: TableView) {
  const count = { type: new GraphQLNonNull(dialect.output('Int')) };
  if (!returnsRows(table)) return { affected_rows: count };
  return {
    affected_rows: count,
    returning: { type: new GraphQLNonNull(listOf(dialect.output(table.name))) },
  };
}

function mutationField(
  dialect: Dialect,
  { table, kind }: MutationField,
): GraphQLFieldConfig<unknown, unknown> {
  const { name } = table;
  const response = () => dialect.output(`${name}_mutation_response`);
  const row = () => dialect.output(name);
  switch (kind) {
    case 'insert':
      return {
        type: response(),
        args: {
          objects: { type: new GraphQLNonNull(listOf(dialect.input(`${name}_insert_input`))) },
          ...conflictArgument(dialect, table),
        },
      };
    case 'insert_one':
      return {
        type: row(),
        args: {
          object: { type: new GraphQLNonNull(dialect.input(`${name}_insert_input`)) },
          ...conflictArgument(dialect, table),
        },
      };
    case 'update':
      return {
        type: response(),
        args: { where: { type: whereType(dialect, table) }, ...changeArguments(dialect, table) },
      };
    case 'update_by_pk': {
      const key = { type: new GraphQLNonNull(dialect.input(`${name}_pk_columns_input`)) };
      return { type: row(), args: { pk_columns: key, ...changeArguments(dialect, table) } };
    }
    case 'update_many':
      return {
        type: new GraphQLList(response()),
        args: { updates: { type: new GraphQLNonNull(listOf(dialect.input(`${name}_updates`))) } },
      };
    case 'delete':
      return { type: response(), args: { where: { type: whereType(dialect, table) } } };
    case 'delete_by_pk':
      return { type: row(), args: keyArguments(dialect, table) };
  }
}
