import { type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';
import type { Model, TableKey, TablePermissions } from '../../../permissions/index.ts';
import type { RoleView } from './role-view.ts';

/** Returns the root fields that a role's rules create. */
export function expectedRoots(model: Model, { role }: RoleView): readonly string[] {
  const names = [...role.tables].flatMap(([key, { select }]) => {
    const table = model.tables.get(key);
    if (!table || !select) return [];
    const byKey =
      table.primaryKey.length > 0 &&
      table.primaryKey.every((name) => select.columns.includes(name));
    return [
      ...(select.columns.length > 0 ? [table.graphqlName] : []),
      ...(byKey ? [`${table.graphqlName}_by_pk`] : []),
      ...(select.allowAggregations ? [`${table.graphqlName}_aggregate`] : []),
    ];
  });
  return names.toSorted();
}

/**
 * Returns names in the types of a table that belong to no column or relationship of the role:
 * `invoice_order_by.created_by`.
 */
export function unexpectedNames(
  schema: GraphQLSchema,
  model: Model,
  { role }: RoleView,
): readonly string[] {
  return [...model.tables.keys()].flatMap((key) => {
    const expected = expectedNames(model, key, role.tables.get(key));
    const type = model.tables.get(key)?.graphqlName ?? '';
    return tableTypes(schema, type).flatMap((name) =>
      namesIn(schema, name)
        .filter((member) => !expected.has(member))
        .map((member) => `${name}.${member}`),
    );
  });
}

function expectedNames(
  model: Model,
  key: TableKey,
  permissions: TablePermissions | undefined,
): ReadonlySet<string> {
  const columns = (permissions?.select?.columns ?? []).map(
    (name) => model.tables.get(key)?.columns.get(name)?.graphqlName ?? name,
  );
  const relationships = [...(permissions?.relationships.keys() ?? [])];
  const aggregates = relationships.map((name) => `${name}_aggregate`);
  return new Set([...columns, ...relationships, ...aggregates, '_and', '_or', '_not']);
}

const functions = 'avg|max|min|stddev|stddev_pop|stddev_samp|sum|var_pop|var_samp|variance';

function tableTypes(schema: GraphQLSchema, table: string): readonly string[] {
  const ends = `bool_exp|order_by|select_column|(${functions})_(fields|order_by)`;
  const look = new RegExp(`^${table}(_(${ends}))?$`);
  return Object.keys(schema.getTypeMap()).filter((name) => look.test(name));
}

function namesIn(schema: GraphQLSchema, name: string): readonly string[] {
  const type = schema.getType(name);
  if (isEnumType(type)) return type.getValues().map((value) => value.name);
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}
