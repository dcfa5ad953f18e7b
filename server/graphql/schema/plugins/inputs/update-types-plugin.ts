import type {} from 'postgraphile/graphile-build';
import {
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputFieldConfigMap,
  GraphQLNonNull,
} from 'postgraphile/graphql';
import type { ColumnView } from '../../view/column-view.ts';
import type { TableView } from '../../view/table-view.ts';
import { type UpdateOperator, updateOperators } from '../../view/update-operators.ts';
import { makePart } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';

/** Defines the types of `_set` and the other update operators, of `pk_columns` and of `updates`. */
export const updateTypesPart = makePart('UpdateTypesPlugin', {
  tableTypes(build, table) {
    const { rowgate } = build;
    const register = (name: string, fields: () => GraphQLInputFieldConfigMap) =>
      build.registerInputObjectType(name, {}, () => ({ fields }), name);
    if (!table.update) return;
    for (const operator of updateOperators(table.update, table.readable)) {
      const fields = () => operatorFields(rowgate, operator);
      register(`${table.name}${operator.typeSuffix}`, fields);
    }
    register(`${table.name}_pk_columns_input`, () => keyFields(rowgate, table));
    register(`${table.name}_updates`, () => ({
      where: { type: whereType(rowgate, table) },
      ...changeArguments(rowgate, table),
    }));
  },
});

/** The arguments `_set`, `_inc` and so on of a table. */
export function changeArguments(
  dialect: Dialect,
  { name, update, readable }: TableView,
): GraphQLFieldConfigArgumentMap {
  const operators = update ? updateOperators(update, readable) : [];
  const entries = operators.map((operator) => [
    operator.name,
    {
      type: dialect.input(`${name}${operator.typeSuffix}`),
      description: operator.description,
    },
  ]);
  return Object.fromEntries(entries);
}

/** Writes require `where`, because a client that omits it by mistake would change all rows. */
export function whereType(dialect: Dialect, { name }: TableView) {
  return new GraphQLNonNull(dialect.input(`${name}_bool_exp`));
}

function operatorFields(
  dialect: Dialect,
  { columns, operand }: UpdateOperator,
): GraphQLInputFieldConfigMap {
  const entries = [...columns.values()].map((column) => [
    column.name,
    {
      type: operandType(dialect, operand, column),
      ...(column.description !== undefined && { description: column.description }),
    },
  ]);
  return Object.fromEntries(entries);
}

function operandType(dialect: Dialect, operand: UpdateOperator['operand'], column: ColumnView) {
  if (operand === 'column') return dialect.columnInput(column.scalar);
  return operand === 'path' ? listOf(dialect.input('String')) : dialect.input(operand);
}

function keyFields(dialect: Dialect, { primaryKey }: TableView): GraphQLInputFieldConfigMap {
  const entries = primaryKey.map(({ name, scalar }) => [
    name,
    { type: new GraphQLNonNull(dialect.columnInput(scalar)) },
  ]);
  return Object.fromEntries(entries);
}
