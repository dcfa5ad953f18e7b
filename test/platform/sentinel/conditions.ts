import { type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import type { Model, TableModel } from '../../../permissions/index.ts';
import { operandOf } from './literals.ts';
import { absentLike } from './markers.ts';
import { inputOf } from './shape.ts';
import type { Sight } from './sight.ts';

/** Two `where` arguments that a role must not be able to tell apart: of rows that it cannot see, and of none. */
export interface Twins {
  readonly foreign: string;
  readonly absent: string;
}

export interface Conditions {
  readonly twins: readonly Twins[];
  /** Conditions whose answers need only hold nothing forbidden. */
  readonly others: readonly string[];
}

/** Where absent values lie says nothing about what lies before or behind others. */
const ordering = /^_[gl]te?$/;
const negative = /^_n/;

/** Every operator on every column of a table. */
export function columnConditions(
  schema: GraphQLSchema,
  sight: Sight,
  table: TableModel,
): Conditions {
  const columns = comparedColumns(schema, table).map((column) => ({
    column,
    ...sight.operands(table, column.column),
  }));
  return {
    twins: columns.flatMap(({ column, foreign }) =>
      foreign.length === 0
        ? []
        : [
            twinsOf((change) => anyOf(column, foreign.map(change))),
            twinsOf((change) => allOf(column, foreign.map(change))),
          ],
    ),
    others: columns.flatMap(({ column, foreign, own }) => {
      const values = [...foreign.slice(0, 1), ...(own === undefined ? [] : [own])];
      return values.map(
        (value) => `{_or: [${column.operators.map(say(column.name, value)).join(', ')}]}`,
      );
    }),
  };
}

type Compared = ReturnType<typeof comparedColumns>[number];

function anyOf({ name, operators }: Compared, values: readonly string[]): string {
  const some = operators.filter(
    (one) => !ordering.test(one.name) && !negative.test(one.name) && one.name !== '_is_null',
  );
  return `{_or: [${values.flatMap((value) => some.map(say(name, value))).join(', ')}]}`;
}

function allOf({ name, operators }: Compared, values: readonly string[]): string {
  const all = operators.filter((one) => negative.test(one.name));
  return `{_and: [${values.flatMap((value) => all.map(say(name, value))).join(', ')}]}`;
}

function say(column: string, value: string) {
  return ({ name, type }: Compared['operators'][number]) =>
    `{${column}: {${name}: ${operandOf(name, type, value)}}}`;
}

function twinsOf(make: (change: (value: string) => string) => string): Twins {
  return { foreign: make((value) => value), absent: make(absentLike) };
}

/** Along every way of two relationships, on all columns at its end and on the keys of the tables behind that. */
export function relatedConditions(
  schema: GraphQLSchema,
  model: Model,
  sight: Sight,
  table: TableModel,
): Conditions {
  const tables = new Map([...model.tables.values()].map((one) => [one.graphqlName, one]));
  const related = (at: TableModel) =>
    relationsIn(schema, at).flatMap(({ name, remote }) => {
      const next = tables.get(remote);
      return next ? [{ name, next }] : [];
    });
  const equal = (at: TableModel, change: (value: string) => string, onlyKey: boolean) =>
    comparedColumns(schema, at)
      .filter(({ column }) => !onlyKey || at.primaryKey.includes(column))
      .flatMap((column) => {
        const equals = column.operators.filter(({ name }) => name === '_eq');
        const { foreign } = sight.operands(at, column.column);
        return foreign.flatMap((value) => equals.map(say(column.name, change(value))));
      });
  const end = (at: TableModel, change: (value: string) => string, further: boolean) => {
    const behind = further ? related(at) : [];
    const keys = behind.map(
      ({ name, next }) => `{${name}: {_or: [${equal(next, change, true).join(', ')}]}}`,
    );
    return `{_or: [${[...equal(at, change, false), ...keys].join(', ')}]}`;
  };
  const twins = related(table).flatMap(({ name, next }) => [
    twinsOf((change) => `{${name}: ${end(next, change, false)}}`),
    twinsOf((change) => `{_not: {${name}: ${end(next, change, false)}}}`),
    ...related(next).map((second) =>
      twinsOf((change) => `{${name}: {${second.name}: ${end(second.next, change, true)}}}`),
    ),
  ]);
  return { twins, others: related(table).map(({ name }) => `{_not: {${name}: {}}}`) };
}

/** The columns of a table's `_bool_exp`, with the operators of their types. */
export function comparedColumns(schema: GraphQLSchema, table: TableModel) {
  const columns = [...table.columns.values()];
  return boolExpFields(schema, table).flatMap(({ name, type }) => {
    const column = columns.find(({ graphqlName }) => graphqlName === name);
    if (!column || !isInputObjectType(type) || !type.name.endsWith('_comparison_exp')) return [];
    const operators = Object.values(type.getFields());
    return [{ name, column: column.name, typeName: type.name, operators }];
  });
}

function relationsIn(schema: GraphQLSchema, table: TableModel) {
  return boolExpFields(schema, table).flatMap(({ name, type }) =>
    name.startsWith('_') || !type.name.endsWith('_bool_exp')
      ? []
      : [{ name, remote: type.name.replace(/_bool_exp$/, '') }],
  );
}

function boolExpFields(schema: GraphQLSchema, { graphqlName }: TableModel) {
  const fields = inputOf(schema, `${graphqlName}_bool_exp`)?.getFields() ?? {};
  return Object.values(fields).map(({ name, type }) => ({ name, type: getNamedType(type) }));
}
