import { type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import type { Model, TableModel } from '../../../permissions/index.ts';
import { operandOf } from './literals.ts';
import { absentLike } from './markers.ts';
import type { RoleView } from './role-view.ts';
import { inputOf } from './shape.ts';

/**
 * Two `where` arguments that must give a role equal responses: the first matches only rows that the role cannot see,
 * and the second matches no row.
 */
export interface Twins {
  readonly foreign: string;
  readonly absent: string;
}

export interface Conditions {
  readonly twins: readonly Twins[];
  /** Conditions whose responses are only searched for hidden values. */
  readonly others: readonly string[];
}

/** Ordering operators are skipped: the order of absent values does not show the order of other values. */
const ordering = /^_[gl]te?$/;
const negative = /^_n/;

/** Returns conditions with every operator on every column of a table. */
export function columnConditions(
  schema: GraphQLSchema,
  roleView: RoleView,
  table: TableModel,
): Conditions {
  const columns = comparedColumns(schema, table).map((column) => ({
    column,
    ...roleView.operands(table, column.column),
  }));
  const hidden = columns.filter(({ foreign }) => foreign.length > 0);
  const any = (change: Change) =>
    hidden.flatMap(({ column, foreign }) => anyOf(column, foreign.map(change)));
  return {
    twins: [
      // No visible row has any of these values. So if a single column reveals a row, the two responses differ.
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
 * Returns conditions along every relationship, with all columns of the related table. Paths of two or three
 * relationships use at least the keys, which suffice to distinguish rows.
 * @param met tables that other root fields of the role have reached at the same distance
 */
export function relatedConditions(
  schema: GraphQLSchema,
  model: Model,
  roleView: RoleView,
  table: TableModel,
  met: Set<string>,
): Conditions {
  const ends = new Ends(schema, model, roleView);
  const first = ends.related(table);
  const isNew = (distance: number, { key }: TableModel) =>
    met.size < met.add(`${distance} ${key}`).size;
  const twins = first.flatMap(({ name, next }) => [
    twinsOf((change) => `{${name}: ${ends.any(next, change)}}`),
    twinsOf((change) => `{_not: {${name}: ${ends.any(next, change)}}}`),
    // The conditions that continue from a table do not depend on the path to the table.
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

/** Conditions on the rows at the end of a path. */
class Ends {
  readonly #schema: GraphQLSchema;
  readonly #roleView: RoleView;
  readonly #tables: ReadonlyMap<string, TableModel>;

  constructor(schema: GraphQLSchema, model: Model, roleView: RoleView) {
    this.#schema = schema;
    this.#roleView = roleView;
    this.#tables = new Map([...model.tables.values()].map((one) => [one.graphqlName, one]));
  }

  related(at: TableModel) {
    return this.#behind(at, '_bool_exp');
  }

  /** Returns the paths whose rows can be counted. */
  counted(at: TableModel) {
    return this.#behind(at, '_aggregate_bool_exp');
  }

  #behind(at: TableModel, suffix: string) {
    return relationsIn(this.#schema, at, suffix).flatMap(({ name, remote }) => {
      const next = this.#tables.get(remote);
      return next ? [{ name, next }] : [];
    });
  }

  /** Returns the condition that any column has a foreign value. */
  any(at: TableModel, change: Change): string {
    return `{_or: [${this.#equal(at, change, () => true).join(', ')}]}`;
  }

  /** Returns the condition that a key, or a key of the tables behind it, has a foreign value. */
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
        const { foreign } = this.#roleView.operands(at, column.column);
        return foreign.flatMap((value) => equals.map(say(column.name, change(value))));
      });
  }
}

/** Returns the columns of a table's `_bool_exp`, with the operators of their types. */
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
