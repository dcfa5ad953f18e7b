import {
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { Model, TableModel } from '../../../permissions/index.ts';
import { absentLike } from './markers.ts';
import type { RoleView } from './role-view.ts';
import { type Field, isAggregate, isOfPlugin, leavesOf, relationsOf } from './shape.ts';
import { WrittenValues } from './written-values.ts';

/** A write that aims at hidden rows, or that contains their keys. */
export interface Attempt {
  /** The name of the root field. */
  readonly field: string;
  readonly query: string;
  /** The same write for rows that do not exist. A different response would reveal the hidden row. */
  readonly twin: string | undefined;
}

/** Returns attempts with each root field that writes. */
export function attempts(
  schema: GraphQLSchema,
  model: Model,
  roleView: RoleView,
): readonly Attempt[] {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const ofTables = fields.filter(({ name }) => !isOfPlugin(model, name));
  return ofTables.flatMap((field) => {
    const table = tableOf(model, field);
    const values = new WrittenValues(schema, model, roleView, table);
    const below = answerOf(field);
    const say = (args: string) => `mutation { ${field.name}(${args}) ${below} }`;
    return aims(field, values).map(({ args, absent }) => ({
      field: field.name,
      query: say(args),
      twin: absent === undefined ? undefined : say(absent),
    }));
  });
}

interface Aim {
  readonly args: string;
  readonly absent?: string;
}

function aims(field: Field, values: WrittenValues): readonly Aim[] {
  const argument = (name: string) => field.args.find((one) => one.name === name);
  const rows = argument('objects') ?? argument('object');
  if (rows) {
    const conflict = argument('on_conflict');
    const input = getNamedType(rows.type) as GraphQLInputObjectType;
    return insertAims(rows.name, input, conflict !== undefined, values);
  }
  const change = field.args.flatMap((one) => values.change(one) ?? []).join(', ');
  const both = (foreign: string): Aim => ({ args: foreign, absent: absentLike(foreign) });
  if (argument('updates')) {
    const item = getNamedType(argument('updates')?.type) as GraphQLInputObjectType;
    const changes = Object.values(item.getFields()).flatMap((one) => values.change(one) ?? []);
    const updates = conditionsOf(item.getFields().where?.type, values).map(
      (where) => `{where: ${where}, ${changes.join(', ')}}`,
    );
    return [both(`updates: [${updates.join(', ')}]`)];
  }
  const where = argument('where');
  const tail = change === '' ? '' : `, ${change}`;
  if (where) return conditionsOf(where.type, values).map((one) => both(`where: ${one}${tail}`));
  const key = argument('pk_columns');
  if (!key) return values.keys(field.args).map(both);
  const columns = Object.values((getNamedType(key.type) as GraphQLInputObjectType).getFields());
  return values.keys(columns).map((one) => both(`pk_columns: {${one}}${tail}`));
}

function conditionsOf(type: unknown, values: WrittenValues): readonly string[] {
  const named = getNamedType(type as GraphQLInputObjectType);
  return isInputObjectType(named) ? values.conditions(named) : [];
}

/** Returns rows that refer to hidden rows, conflict with them, or contain them as nested rows. */
function insertAims(
  name: string,
  input: GraphQLInputObjectType,
  hasConflict: boolean,
  values: WrittenValues,
): readonly Aim[] {
  const aimed = (row: string, more = '') => ({
    args: `${name}: ${name === 'objects' ? `[{${row}}]` : `{${row}}`}${more}`,
  });
  const conflicts = hasConflict ? values.conflicts(input) : [];
  return [
    aimed(values.row(input, 'own')),
    aimed(values.row(input, 'foreign')),
    ...conflicts.map(({ row, clause }) => aimed(row, `, on_conflict: ${clause}`)),
    ...values.nested(input).map((row) => aimed(row)),
  ];
}

/** Returns the table of the root field's result type. */
function tableOf(model: Model, field: Field): TableModel {
  const name = getNamedType(field.type).name.replace(/_mutation_response$/, '');
  const table = [...model.tables.values()].find(({ graphqlName }) => graphqlName === name);
  if (!table) throw new Error(`the root field ${field.name} writes to no table`);
  return table;
}

/** Returns a selection of all fields, one relationship deep. */
function answerOf(field: Field): string {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) throw new Error(`the root field ${field.name} answers with no object`);
  const related = (of: typeof type, depth: number): string => {
    const relations = relationsOf(of).flatMap(({ name, type: inner }) => {
      if (isAggregate(inner)) return [`${name} { aggregate { count } }`];
      return depth > 0 ? [`${name} { ${related(inner, depth - 1)} }`] : [];
    });
    return ['__typename', ...leavesOf(of), ...relations].join(' ');
  };
  return `{ ${related(type, 1)} }`;
}
