import type {} from 'postgraphile/graphile-build';
import { type GraphQLInputFieldConfigMap, GraphQLNonNull } from 'postgraphile/graphql';
import { type AggregatePredicate, aggregatePredicates } from '../../view/aggregate-predicates.ts';
import type { TableView } from '../../view/table-view.ts';
import { makePart } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';
import { comparisonTypeName } from './comparison-types-plugin.ts';

/** Defines `<table>_aggregate_bool_exp`: conditions on aggregates of related rows. */
export const aggregateBoolExpPart = makePart('AggregateBoolExpPlugin', {
  tableTypes(build, table) {
    if (table.select.allowAggregations) register(build, table);
  },
});

function register(build: GraphileBuild.Build, table: TableView): void {
  const { rowgate } = build;
  const input = (name: string, fields: () => GraphQLInputFieldConfigMap, isOneOf = false) =>
    build.registerInputObjectType(name, {}, () => ({ fields, isOneOf }), name);
  const predicates = aggregatePredicates(table);
  const whole = `${table.name}_aggregate_bool_exp`;
  const members = () =>
    predicates.map(({ name }) => [name, { type: rowgate.input(`${whole}_${name}`) }] as const);
  input(whole, () => Object.fromEntries(members()), true);
  for (const predicate of predicates) {
    const name = `${whole}_${predicate.name}`;
    input(name, () => fieldsOf(rowgate, table, predicate));
    if (predicate.operand === 'columns') continue;
    const values = Object.fromEntries(predicate.columns.map((column) => [column.name, {}]));
    const columns = columnsName(table, predicate);
    build.registerEnumType(columns, {}, () => ({ values }), columns);
    if (predicate.operand !== 'pair') continue;
    const column = () => ({ type: new GraphQLNonNull(rowgate.input(columns)) });
    input(`${name}_arguments`, () => ({ X: column(), Y: column() }));
  }
}

function columnsName({ name }: TableView, predicate: AggregatePredicate): string {
  return `${name}_select_column_${name}_aggregate_bool_exp_${predicate.name}_arguments_columns`;
}

function fieldsOf(
  dialect: Dialect,
  table: TableView,
  predicate: AggregatePredicate,
): GraphQLInputFieldConfigMap {
  const { compared } = predicate;
  return {
    ...argumentsField(dialect, table, predicate),
    distinct: { type: dialect.input('Boolean') },
    filter: { type: dialect.input(`${table.name}_bool_exp`) },
    predicate: { type: new GraphQLNonNull(dialect.input(comparisonTypeName(compared.scalar))) },
  };
}

function argumentsField(
  dialect: Dialect,
  table: TableView,
  predicate: AggregatePredicate,
): GraphQLInputFieldConfigMap {
  const whole = `${table.name}_aggregate_bool_exp_${predicate.name}`;
  switch (predicate.operand) {
    case 'columns':
      // Without a readable column, only the rows themselves can be counted.
      return table.columns.size === 0
        ? {}
        : { arguments: { type: listOf(dialect.input(`${table.name}_select_column`)) } };
    case 'column':
      return {
        arguments: { type: new GraphQLNonNull(dialect.input(columnsName(table, predicate))) },
      };
    case 'pair':
      return { arguments: { type: new GraphQLNonNull(dialect.input(`${whole}_arguments`)) } };
  }
}
