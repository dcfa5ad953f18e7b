import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfigMap, GraphQLNonNull } from 'postgraphile/graphql';
import type { ColumnView, ValueView } from '../view/column-view.ts';
import { hasRowFields } from '../view/function-view.ts';
import { isBuiltin } from '../view/scalar.ts';
import type { TableView } from '../view/table-view.ts';
import { callArguments } from './call-arguments-plugin.ts';
import { makePart } from './dialect-part.ts';
import { type Dialect, listOf } from './dialect-plugin.ts';
import { listArguments } from './list-arguments.ts';

/** Defines the row type of each table and the enum of its columns. */
export const tableTypesPart = makePart('TableTypesPlugin', {
  tableTypes(build, table) {
    // Without a readable column the role may only count rows, so the table has no row type.
    if (!hasRowFields(table)) return;
    const { rowgate } = build;
    const { name, model } = table;
    const config = {
      ...(model.description !== undefined && { description: model.description }),
      fields: () => rowFields(rowgate, table),
    };
    build.registerObjectType(name, {}, () => config, name);
    if (table.columns.size === 0) return;
    const values = () => Object.fromEntries([...table.columns.keys()].map((key) => [key, {}]));
    const enumName = `${name}_select_column`;
    build.registerEnumType(enumName, {}, () => ({ values: values() }), enumName);
  },
});

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

function rowFields(dialect: Dialect, table: TableView): Fields {
  const columns = [...table.columns.values()].map((column) => [
    column.name,
    columnField(dialect, column),
  ]);
  return {
    ...Object.fromEntries(columns),
    ...computedFields(dialect, table),
    ...relationshipFields(dialect, table),
  };
}

function columnField(dialect: Dialect, column: ColumnView) {
  const { type, description, args } = valueField(dialect, column);
  return { type: column.notNull ? new GraphQLNonNull(type) : type, description, args };
}

function valueField(dialect: Dialect, { scalar, description }: ValueView) {
  const isJson = scalar.rule === 'json' && !scalar.isArray && isBuiltin(scalar.type);
  return {
    type: dialect.columnOutput(scalar),
    description: description ?? null,
    args: isJson ? jsonArguments(dialect) : {},
  };
}

function jsonArguments(dialect: Dialect) {
  const description = "a part of the value, e.g. `$.address.lines[0]` or `['a key']`";
  return { path: { type: dialect.input('String'), description } };
}

function computedFields(dialect: Dialect, table: TableView): Fields {
  const fields: Fields = {};
  for (const value of table.computed.values()) {
    const { args, ...field } = valueField(dialect, value);
    fields[value.name] = { ...field, args: { ...callArguments(dialect, table, value), ...args } };
  }
  for (const rows of table.computedRows.values()) {
    const view = rows.table();
    if (!hasRowFields(view)) continue;
    fields[rows.name] = {
      type: listOf(dialect.output(view.name)),
      description: rows.field.description ?? null,
      args: { ...callArguments(dialect, table, rows), ...listArguments(dialect, view) },
    };
  }
  return fields;
}

function relationshipFields(dialect: Dialect, table: TableView): Fields {
  const fields: Fields = {};
  for (const { name, kind, isCertain, table: remote } of table.relationships.values()) {
    const view = remote();
    if (hasRowFields(view)) {
      const row = dialect.output(view.name);
      fields[name] =
        kind === 'object'
          ? { type: isCertain ? new GraphQLNonNull(row) : row }
          : { type: new GraphQLNonNull(listOf(row)), args: listArguments(dialect, view) };
    }
    if (kind === 'array' && view.select.allowAggregations) {
      const type = new GraphQLNonNull(dialect.output(`${view.name}_aggregate`));
      fields[`${name}_aggregate`] = { type, args: listArguments(dialect, view) };
    }
  }
  return fields;
}
