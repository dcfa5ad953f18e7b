import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfigMap, GraphQLNonNull } from 'postgraphile/graphql';
import type { ColumnView } from '../view/column-view.ts';
import { hasRowFields } from '../view/function-view.ts';
import type { ComputedValueView, TableView } from '../view/table-view.ts';
import { aggregatedValues } from './aggregate-functions.ts';
import { callArguments } from './call-arguments-plugin.ts';
import { makePart } from './dialect-part.ts';
import { type Dialect, listOf } from './dialect-plugin.ts';

/** Defines `<table>_aggregate`, its `aggregate` field, and a type with the fields of each function. */
export const aggregateTypesPart = makePart('AggregateTypesPlugin', {
  tableTypes(build, table) {
    if (table.select.allowAggregations) registerAggregate(build, table);
  },
});

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

/** Functions whose results have the type of the column. */
const SAME_TYPE: ReadonlySet<string> = new Set(['max', 'min', 'sum']);

function registerAggregate(build: GraphileBuild.Build, table: TableView): void {
  const { rowgate } = build;
  const byFunction = aggregatedValues(table);
  const register = (name: string, fields: () => Fields) =>
    build.registerObjectType(name, {}, () => ({ fields }), name);
  for (const [name, columns] of byFunction) {
    register(`${table.name}_${name}_fields`, () => functionFields(rowgate, table, name, columns));
  }
  register(`${table.name}_aggregate_fields`, () => ({
    count: countField(rowgate, table),
    ...Object.fromEntries(
      [...byFunction.keys()].map((name) => [
        name,
        { type: rowgate.output(`${table.name}_${name}_fields`) },
      ]),
    ),
  }));
  register(`${table.name}_aggregate`, () => ({
    aggregate: { type: rowgate.output(`${table.name}_aggregate_fields`) },
    ...(hasRowFields(table) && {
      nodes: { type: new GraphQLNonNull(listOf(rowgate.output(table.name))) },
    }),
  }));
}

function countField(dialect: Dialect, table: TableView) {
  const type = new GraphQLNonNull(dialect.output('Int'));
  if (table.columns.size === 0) return { type };
  return {
    type,
    args: {
      columns: { type: listOf(dialect.input(`${table.name}_select_column`)) },
      distinct: { type: dialect.input('Boolean') },
    },
  };
}

function functionFields(
  dialect: Dialect,
  table: TableView,
  name: string,
  values: readonly (ColumnView | ComputedValueView)[],
): Fields {
  const entries = values.map((value) => {
    const { scalar } = value;
    const type = SAME_TYPE.has(name) ? dialect.columnOutput(scalar) : dialect.output('Float');
    return [
      value.name,
      { type, ...('field' in value && { args: callArguments(dialect, table, value) }) },
    ];
  });
  return Object.fromEntries(entries);
}
