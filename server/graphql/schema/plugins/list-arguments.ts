import type { GraphQLFieldConfigArgumentMap } from 'postgraphile/graphql';
import { hasRowFields } from '../view/function-view.ts';
import type { TableView } from '../view/table-view.ts';
import { type Dialect, listOf } from './dialect-plugin.ts';

/** The arguments of every field that returns several rows of a table. */
export function listArguments(dialect: Dialect, table: TableView): GraphQLFieldConfigArgumentMap {
  const paging = {
    limit: { type: dialect.input('Int'), description: 'maximum number of rows' },
    offset: { type: dialect.input('Int'), description: 'number of rows to skip' },
  };
  if (!hasRowFields(table)) return paging;
  const where = { type: dialect.input(`${table.name}_bool_exp`) };
  if (table.columns.size === 0) return { ...paging, where };
  return {
    distinct_on: {
      type: listOf(dialect.input(`${table.name}_select_column`)),
      description: 'one row for each combination of these columns',
    },
    ...paging,
    order_by: { type: listOf(dialect.input(`${table.name}_order_by`)) },
    where,
  };
}
