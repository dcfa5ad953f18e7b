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
  const hidden = columns.filter(({ foreign }) => foreign.length > 0);
  const any = (change: Change) =>
    hidden.flatMap(({ column, foreign }) => anyOf(column, foreign.map(change)));
  return {
    twins: [
      // No row that the role sees has any of them, so one column that gives rows away is enough to tell the two apart.
      ...(hidden.length === 0 ? [] : [twinsOf((change) => `{_or: [${any(change).join(', ')}]}`)]),
      ...hidden.map(({ column, foreign }) =>
        twinsOf((change) => allOf(column, foreign.map(change))),
      ),
    ],
    others: columns.flatMap(({ column, foreign, own = foreign[0] }) =>
      own === undefined
        ? []
        : [`{_or: [${column.operators.map(say(column.name, own)).join(', ')}]}`],
    ),
  };
}

type Compared = ReturnType<typeof comparedColumns>[number];

function anyOf({ name, operators }: Compared, values: readonly string[]): readonly string[] {
  const some = operators.filter(
    (one) => !ordering.test(one.name) && !negative.test(one.name) && one.name !== '_is_null',
  );
  return values.flatMap((value) => some.map(say(name, value)));
}

function allOf({ name, operators }: Compared, values: readonly string[]): string {
  const all = operators.filter((one) => negative.test(one.name));
  return `{_and: [${values.flatMap((value) => all.map(say(name, value))).join(', ')}]}`;
}

function say(column: string, value: string) {
  return ({ name, type }: Compared['operators'][number]) =>
    `{${column}: {${name}: ${operandOf(name, type, value)}}}`;
}

function twinsOf(make: (change: Change) => string): Twins {
  return { foreign: make((value) => value), absent: make(absentLike) };
}

/**
 * Along every relationship on all columns behind it; along ways of two or three on keys at least, which is enough to
 * tell rows apart.
 * @param met which tables other root fields of the role have gone through already, so far away
 */
export function relatedConditions(
  schema: GraphQLSchema,
  model: Model,
  sight: Sight,
  table: TableModel,
  met: Set<string>,
): Conditions {
  const ends = new Ends(schema, model, sight);
  const first = ends.related(table);
  const isNew = (distance: number, { key }: TableModel) =>
    met.size < met.add(`${distance} ${key}`).size;
  const twins = first.flatMap(({ name, next }) => [
    twinsOf((change) => `{${name}: ${ends.any(next, change)}}`),
    twinsOf((change) => `{_not: {${name}: ${ends.any(next, change)}}}`),
    // What lies behind a table does not depend on the way to it.
    ...(isNew(1, next) ? ends.related(next) : []).map((second) => {
      const further = isNew(2, second.next);
      return twinsOf(
        (change) => `{${name}: {${second.name}: ${ends.keys(second.next, change, further)}}}`,
      );
    }),
  ]);
  const counted = ends
    .counted(table)
    .flatMap(({ name, next }) =>
      ['_gt'].map((operator) =>
        twinsOf(
          (change) =>
            `{${name}: {count: {predicate: {${operator}: 0}, filter: ${ends.any(next, change)}}}}`,
        ),
      ),
    );
  return {
    twins: [...twins, ...counted],
    others: first.map(({ name }) => `{_not: {${name}: {}}}`),
  };
}

type Change = (value: string) => string;

/** What can be said of rows at the end of a way. */
class Ends {
  readonly #schema: GraphQLSchema;
  readonly #sight: Sight;
  readonly #tables: ReadonlyMap<string, TableModel>;

  constructor(schema: GraphQLSchema, model: Model, sight: Sight) {
    this.#schema = schema;
    this.#sight = sight;
    this.#tables = new Map([...model.tables.values()].map((one) => [one.graphqlName, one]));
  }

  related(at: TableModel) {
    return this.#behind(at, '_bool_exp');
  }

  /** Ways whose rows can be counted. */
  counted(at: TableModel) {
    return this.#behind(at, '_aggregate_bool_exp');
  }

  #behind(at: TableModel, suffix: string) {
    return relationsIn(this.#schema, at, suffix).flatMap(({ name, remote }) => {
      const next = this.#tables.get(remote);
      return next ? [{ name, next }] : [];
    });
  }

  /** That any column has a foreign value. */
  any(at: TableModel, change: Change): string {
    return `{_or: [${this.#equal(at, change, () => true).join(', ')}]}`;
  }

  /** That a key has one, or a key of the tables behind. */
  keys(at: TableModel, change: Change, further: boolean): string {
    const own = this.#equal(at, change, (column) => at.primaryKey.includes(column));
    const behind = (further ? this.related(at) : []).map(
      ({ name, next }) => `{${name}: ${this.keys(next, change, false)}}`,
    );
    return `{_or: [${[...own, ...behind].join(', ')}]}`;
  }

  #equal(at: TableModel, change: Change, isMeant: (column: string) => boolean): readonly string[] {
    return comparedColumns(this.#schema, at)
      .filter(({ column }) => isMeant(column))
      .flatMap((column) => {
        const equals = column.operators.filter(({ name }) => name === '_eq');
        const { foreign } = this.#sight.operands(at, column.column);
        return foreign.flatMap((value) => equals.map(say(column.name, change(value))));
      });
  }
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

function relationsIn(schema: GraphQLSchema, table: TableModel, suffix: string) {
  return boolExpFields(schema, table).flatMap(({ name, type }) =>
    name.startsWith('_') || !type.name.endsWith(suffix)
      ? []
      : [{ name, remote: type.name.slice(0, -suffix.length) }],
  );
}

function boolExpFields(schema: GraphQLSchema, { graphqlName }: TableModel) {
  const fields = inputOf(schema, `${graphqlName}_bool_exp`)?.getFields() ?? {};
  return Object.values(fields).map(({ name, type }) => ({ name, type: getNamedType(type) }));
}
