import {
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { Model, TableModel } from '../../../permissions/index.ts';
import { absentLike } from './markers.ts';
import { type Field, isAggregate, isOfPlugin, leavesOf, relationsOf } from './shape.ts';
import type { Sight } from './sight.ts';
import { WrittenValues } from './written-values.ts';

/** A write aimed at rows that the role does not see, or with keys of theirs. */
export interface Attempt {
  /** The root field. */
  readonly field: string;
  readonly query: string;
  /** The same for rows that do not exist, where both must be answered alike. */
  readonly twin: string | undefined;
}

/** Every way of aiming each root field that writes. */
export function attempts(schema: GraphQLSchema, model: Model, sight: Sight): readonly Attempt[] {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const ofTables = fields.filter(({ name }) => !isOfPlugin(model, name));
  return ofTables.flatMap((field) => {
    const table = tableOf(model, field);
    const values = new WrittenValues(schema, model, sight, table);
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

/** Rows that refer to others' rows, that lie in their way, and that bring such rows along. */
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

/** Of the type that the root field answers with. */
function tableOf(model: Model, field: Field): TableModel {
  const name = getNamedType(field.type).name.replace(/_mutation_response$/, '');
  const table = [...model.tables.values()].find(({ graphqlName }) => graphqlName === name);
  if (!table) throw new Error(`the root field ${field.name} writes to no table`);
  return table;
}

/** All that can be asked, one relationship deep. */
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
