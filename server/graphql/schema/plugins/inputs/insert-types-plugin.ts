import type {} from 'postgraphile/graphile-build';
import { type GraphQLInputFieldConfigMap, GraphQLNonNull } from 'postgraphile/graphql';
import type { InsertView, TableView, UpsertView } from '../../view/table-view.ts';
import { makePart } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';

/** The value of an enum that would otherwise be empty: GraphQL requires at least one value. */
export const PLACEHOLDER = '_PLACEHOLDER';

/** Defines the types of `object`, `objects` and `on_conflict`. */
export const insertTypesPart = makePart('InsertTypesPlugin', {
  tableTypes(build, table) {
    const { rowgate } = build;
    const register = (name: string, fields: () => GraphQLInputFieldConfigMap) =>
      build.registerInputObjectType(name, {}, () => ({ fields }), name);
    const registerEnum = (name: string, names: Iterable<string>) => {
      const values = Object.fromEntries([...names].map((one) => [one, {}]));
      build.registerEnumType(name, {}, () => ({ values }), name);
    };
    const { name, insert } = table;
    if (!insert) return;
    register(`${name}_insert_input`, () => insertFields(rowgate, table, insert));
    register(`${name}_obj_rel_insert_input`, () => nestedFields(rowgate, table, false));
    register(`${name}_arr_rel_insert_input`, () => nestedFields(rowgate, table, true));
    if (!insert.upsert) return;
    registerEnum(`${name}_constraint`, insert.upsert.constraints.keys());
    registerEnum(`${name}_update_column`, updateColumns(insert.upsert));
    register(`${name}_on_conflict`, () => conflictFields(rowgate, table));
  },
});

function updateColumns({ columns }: UpsertView): readonly string[] {
  return columns.size > 0 ? [...columns.keys()] : [PLACEHOLDER];
}

/** The argument `on_conflict`, if the role can name a constraint. */
export function conflictArgument(dialect: Dialect, { name, insert }: TableView) {
  return insert?.upsert ? { on_conflict: { type: dialect.input(`${name}_on_conflict`) } } : {};
}

function insertFields(
  dialect: Dialect,
  table: TableView,
  insert: InsertView,
): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {};
  for (const { name, scalar, description } of insert.columns.values()) {
    fields[name] = {
      type: dialect.columnInput(scalar),
      ...(description !== undefined && { description }),
    };
  }
  for (const { name, kind, table: remote } of table.relationships.values()) {
    const other = remote();
    if (!other.insert) continue;
    const type = `${other.name}_${kind === 'object' ? 'obj' : 'arr'}_rel_insert_input`;
    fields[name] = { type: dialect.input(type) };
  }
  return Object.keys(fields).length > 0 ? fields : { [PLACEHOLDER]: NOTHING(dialect) };
}

// GraphQL does not allow an input object without fields.
const NOTHING = (dialect: Dialect) => ({
  type: dialect.input('Boolean'),
  description: 'The role may provide no column; leave this out too.',
});

function nestedFields(
  dialect: Dialect,
  table: TableView,
  isList: boolean,
): GraphQLInputFieldConfigMap {
  const row = dialect.input(`${table.name}_insert_input`);
  return {
    data: { type: new GraphQLNonNull(isList ? listOf(row) : row) },
    ...conflictArgument(dialect, table),
  };
}

function conflictFields(dialect: Dialect, { name }: TableView): GraphQLInputFieldConfigMap {
  return {
    constraint: { type: new GraphQLNonNull(dialect.input(`${name}_constraint`)) },
    update_columns: {
      type: new GraphQLNonNull(listOf(dialect.input(`${name}_update_column`))),
      defaultValue: [],
      description:
        'Columns of the conflicting row that get the new values; without any, the row stays unchanged.',
    },
    where: {
      type: dialect.input(`${name}_bool_exp`),
      description: 'Condition on the conflicting rows to update.',
    },
  };
}
