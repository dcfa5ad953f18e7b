import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Model, TableModel } from '../../../permissions/index.ts';
import type { Operation } from './asker.ts';
import { literalOf } from './literals.ts';
import { absentLike } from './markers.ts';
import { leavesOf, relationsOf } from './shape.ts';
import type { Sight } from './sight.ts';

/** Each root field that writes, aimed at rows that the role does not see and with their values; none without such a root. */
export function mutations(schema: GraphQLSchema, model: Model, sight: Sight): readonly Operation[] {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  return fields.flatMap((field) => {
    const table = tableOf(model, field.name);
    if (!table) return [];
    const args = field.args
      .filter(
        (argument) => isRequiredArgument(argument) || /^(_set|where|objects?)$/.test(argument.name),
      )
      .map(({ name, type }) => `${name}: ${aimed(type, table, sight)}`);
    const type = getNamedType(field.type);
    const below = isObjectType(type)
      ? `{ __typename ${leavesOf(type).join(' ')} ${relationsOf(type)
          .map((relation) => `${relation.name} { ${leavesOf(relation.type).join(' ')} }`)
          .join(' ')} }`
      : '';
    return [
      {
        query: `mutation { ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${below} }`,
      },
    ];
  });
}

/** The table with the longest name that a root field's name holds: `insert_invoice_line_one`. */
function tableOf(model: Model, field: string): TableModel | undefined {
  const tables = [...model.tables.values()].filter(({ graphqlName }) =>
    `_${field}_`.includes(`_${graphqlName}_`),
  );
  return tables.toSorted((a, b) => b.graphqlName.length - a.graphqlName.length)[0];
}

function aimed(type: GraphQLInputType, table: TableModel, sight: Sight): string {
  if (isNonNullType(type)) return aimed(type.ofType, table, sight);
  if (isListType(type)) return `[${aimed(type.ofType, table, sight)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (!isInputObjectType(type)) return literalOf(type, key(table, sight));
  if (type.name.endsWith('_bool_exp')) return condition(type, table, sight);
  const fields = Object.values(type.getFields()).flatMap(({ name, type: inner }) => {
    const column = [...table.columns.values()].find(({ graphqlName }) => graphqlName === name);
    if (column) {
      const value = target(table, column.name, sight);
      return value === undefined ? [] : [`${name}: ${literalOf(inner, value)}`];
    }
    return isNonNullType(inner) ? [`${name}: ${aimed(inner, table, sight)}`] : [];
  });
  return `{${fields.join(', ')}}`;
}

/** Of rows that the role does not see; where it sees all, of none. */
function condition(type: GraphQLInputObjectType, table: TableModel, sight: Sight): string {
  const fields = Object.values(type.getFields()).flatMap(({ name, type: inner }) => {
    const comparison = getNamedType(inner);
    const equals = isInputObjectType(comparison) ? comparison.getFields()._eq : undefined;
    const value = table.primaryKey.includes(name) ? target(table, name, sight) : undefined;
    return equals && value !== undefined
      ? [`${name}: {_eq: ${literalOf(equals.type, value)}}`]
      : [];
  });
  return fields.length === 0 ? '{_or: []}' : `{${fields.join(', ')}}`;
}

function target(table: TableModel, column: string, sight: Sight): string | undefined {
  const { foreign, own } = sight.operands(table, column);
  return foreign[0] ?? (own === undefined ? undefined : absentLike(own));
}

function key(table: TableModel, sight: Sight): string {
  return table.primaryKey.flatMap((column) => target(table, column, sight) ?? [])[0] ?? '';
}
