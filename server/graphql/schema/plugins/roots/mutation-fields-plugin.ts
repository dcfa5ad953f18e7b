import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfig, GraphQLList, GraphQLNonNull } from 'postgraphile/graphql';
import type { TableView } from '../../view/table-view.ts';
import { type MutationField, returnsRows } from '../../view/table-writes.ts';
import { makePart, noFields } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';
import { conflictArgument } from '../inputs/insert-types-plugin.ts';
import { changeArguments, whereType } from '../inputs/update-types-plugin.ts';
import { keyArguments } from './root-fields-plugin.ts';

/** Adds `insert_t`, `update_t`, `delete_t` and similar fields for each table, and defines their result types. */
export const mutationFieldsPart = makePart('MutationFieldsPlugin', {
  tableTypes(build, table) {
    const { rowgate } = build;
    if (!table.insert && !table.update && !table.delete) return;
    const name = `${table.name}_mutation_response`;
    const fields = () => responseFields(rowgate, table);
    build.registerObjectType(name, {}, () => ({ fields }), name);
  },
  roots: (dialect) => {
    const own = [...dialect.view.mutations.values()].map(
      (field) =>
        [field.name, () => ({ ...mutationField(dialect, field), ...description(field) })] as const,
    );
    return { query: noFields, mutation: new Map(own) };
  },
});

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
