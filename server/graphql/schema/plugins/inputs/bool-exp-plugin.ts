import type {} from 'postgraphile/graphile-build';
import type { GraphQLInputFieldConfigMap } from 'postgraphile/graphql';
import { isPlainCall } from '../../view/computed-view.ts';
import type { TableView } from '../../view/table-view.ts';
import { makePart } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';
import { comparisonTypeName } from './comparison-types-plugin.ts';

/** Defines `<table>_bool_exp`, the type of `where`. */
export const boolExpPart = makePart('BoolExpPlugin', {
  tableTypes(build, table) {
    const { rowgate } = build;
    const name = `${table.name}_bool_exp`;
    const fields = () => boolExpFields(rowgate, table);
    build.registerInputObjectType(name, {}, () => ({ fields }), name);
  },
});

function boolExpFields(dialect: Dialect, table: TableView): GraphQLInputFieldConfigMap {
  const self = dialect.input(`${table.name}_bool_exp`);
  const fields: GraphQLInputFieldConfigMap = {
    _and: { type: listOf(self) },
    _not: { type: self },
    _or: { type: listOf(self) },
  };
  for (const { name, scalar } of table.columns.values()) {
    fields[name] = { type: dialect.input(comparisonTypeName(scalar)) };
  }
  for (const value of [...table.computed.values()].filter(isPlainCall)) {
    fields[value.name] = { type: dialect.input(comparisonTypeName(value.scalar)) };
  }
  for (const { name, table: remote } of [...table.computedRows.values()].filter(isPlainCall)) {
    fields[name] = { type: dialect.input(`${remote().name}_bool_exp`) };
  }
  for (const { name, kind, table: remote } of table.relationships.values()) {
    const { name: type, select } = remote();
    fields[name] = { type: dialect.input(`${type}_bool_exp`) };
    if (kind === 'array' && select.allowAggregations) {
      fields[`${name}_aggregate`] = { type: dialect.input(`${type}_aggregate_bool_exp`) };
    }
  }
  return fields;
}
