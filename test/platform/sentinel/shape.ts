import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Model, TableModel } from '../../../permissions/index.ts';

export type Field = GraphQLField<unknown, unknown>;

/** A root field that reads a table. */
export interface Root {
  readonly name: string;
  readonly kind: 'list' | 'key' | 'aggregate';
  readonly table: TableModel;
  readonly type: GraphQLObjectType;
  readonly field: Field;
}

/** Returns whether a root field belongs to a plugin. Plugins have separate tests. */
export function isOfPlugin(model: Model, field: string): boolean {
  return model.graphile?.extensions.fields.has(field) === true;
}

/** Returns the root fields of tables in a schema, each with the table of its name. */
export function rootsOf(schema: GraphQLSchema, model: Model): readonly Root[] {
  const tables = new Map([...model.tables.values()].map((table) => [table.graphqlName, table]));
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return fields.flatMap((field) => {
    const type = getNamedType(field.type);
    if (!isObjectType(type) || isOfPlugin(model, field.name)) return [];
    const kind = kindOf(field);
    const table = tables.get(field.name.replace(suffixes[kind], ''));
    if (!table) throw new Error(`the root field ${field.name} belongs to no table`);
    return [{ name: field.name, kind, table, type, field }];
  });
}

const suffixes = { list: '', key: /_by_pk$/, aggregate: /_aggregate$/ } as const;

function kindOf(field: Field): Root['kind'] {
  const type = isNonNullType(field.type) ? field.type.ofType : field.type;
  if (isListType(type)) return 'list';
  return isAggregate(getNamedType(type) as GraphQLObjectType) ? 'aggregate' : 'key';
}

export function isAggregate(type: GraphQLObjectType): boolean {
  return type.name.endsWith('_aggregate') && type.getFields().aggregate !== undefined;
}

/** Returns the fields that are values. */
export function leavesOf(type: GraphQLObjectType): readonly string[] {
  return Object.values(type.getFields()).flatMap(({ name, type: inner }) =>
    isLeafType(getNamedType(inner)) ? [name] : [],
  );
}

/** Returns the fields that lead to other tables, or to aggregates of them. */
export function relationsOf(
  type: GraphQLObjectType,
): readonly { readonly name: string; readonly type: GraphQLObjectType; readonly field: Field }[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    return isObjectType(inner) ? [{ name: field.name, type: inner, field }] : [];
  });
}

/** Returns the input type with a name; undefined when the role's schema has none. */
export function inputOf(schema: GraphQLSchema, name: string): GraphQLInputObjectType | undefined {
  const type = schema.getType(name);
  return type && isInputObjectType(type) ? type : undefined;
}

/**
 * Returns the fields that identify a row in a response: the key, or all visible fields when the role may not read the
 * key.
 */
export function identity(root: Root): readonly string[] {
  const leaves = leavesOf(root.type);
  const key = root.table.primaryKey.filter((name) => leaves.includes(name));
  return key.length === root.table.primaryKey.length ? key : leaves;
}
