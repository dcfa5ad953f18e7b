import type {} from 'postgraphile/graphile-build';
import type { GraphQLInputFieldConfigMap } from 'postgraphile/graphql';
import { isPlainCall } from '../../view/computed-view.ts';
import { isComparable } from '../../view/scalar.ts';
import type { TableView } from '../../view/table-view.ts';
import { aggregatedColumns } from '../aggregate-functions.ts';
import { makePart } from '../dialect-part.ts';
import type { Dialect } from '../dialect-plugin.ts';

const DIRECTIONS = {
  asc: { description: 'ascending, nulls last' },
  asc_nulls_first: { description: 'ascending, nulls first' },
  asc_nulls_last: { description: 'ascending, nulls last' },
  desc: { description: 'descending, nulls first' },
  desc_nulls_first: { description: 'descending, nulls first' },
  desc_nulls_last: { description: 'descending, nulls last' },
};

/** Defines `order_by`, `<table>_order_by` and, for array relationships, `<table>_aggregate_order_by`. */
export const orderByPart = makePart('OrderByPlugin', {
  types(build) {
    build.registerEnumType('order_by', {}, () => ({ values: DIRECTIONS }), 'order_by');
  },
  tableTypes(build, table) {
    const { rowgate } = build;
    const register = (name: string, fields: () => GraphQLInputFieldConfigMap) =>
      build.registerInputObjectType(name, {}, () => ({ fields }), name);
    if (table.columns.size > 0) {
      register(`${table.name}_order_by`, () => orderByFields(rowgate, table));
    }
    if (table.select.allowAggregations) registerAggregates(build, table, register);
  },
});

function orderByFields(dialect: Dialect, table: TableView): GraphQLInputFieldConfigMap {
  const direction = dialect.input('order_by');
  const fields: GraphQLInputFieldConfigMap = {};
  for (const { name, scalar } of table.columns.values()) {
    if (isComparable(scalar.type)) fields[name] = { type: direction };
  }
  for (const value of [...table.computed.values()].filter(isPlainCall)) {
    if (isComparable(value.scalar.type)) fields[value.name] = { type: direction };
  }
  for (const { name, kind, table: remote } of table.relationships.values()) {
    const view = remote();
    if (kind === 'object' && view.columns.size > 0) {
      fields[name] = { type: dialect.input(`${view.name}_order_by`) };
    }
    if (kind === 'array' && view.select.allowAggregations) {
      fields[`${name}_aggregate`] = { type: dialect.input(`${view.name}_aggregate_order_by`) };
    }
  }
  for (const { name, table: given } of [...table.computedRows.values()].filter(isPlainCall)) {
    const view = given();
    if (!view.select.allowAggregations) continue;
    fields[`${name}_aggregate`] = { type: dialect.input(`${view.name}_aggregate_order_by`) };
  }
  return fields;
}

function registerAggregates(
  build: GraphileBuild.Build,
  table: TableView,
  register: (name: string, fields: () => GraphQLInputFieldConfigMap) => void,
): void {
  const { rowgate } = build;
  const byFunction = aggregatedColumns(table);
  const ordered = (names: Iterable<string>, type: (name: string) => string) =>
    Object.fromEntries([...names].map((name) => [name, { type: rowgate.input(type(name)) }]));
  for (const [name, columns] of byFunction) {
    register(`${table.name}_${name}_order_by`, () =>
      ordered(
        columns.map((column) => column.name),
        () => 'order_by',
      ),
    );
  }
  register(`${table.name}_aggregate_order_by`, () => ({
    count: { type: rowgate.input('order_by') },
    ...ordered(byFunction.keys(), (name) => `${table.name}_${name}_order_by`),
  }));
}
