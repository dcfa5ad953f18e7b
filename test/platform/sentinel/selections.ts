import { type GraphQLObjectType, getNamedType, isInputObjectType } from 'graphql';
import type { Twins } from './conditions.ts';
import { literalOf } from './literals.ts';
import { absentLike } from './markers.ts';
import type { RoleView } from './role-view.ts';
import { type Field, isAggregate, leavesOf, type Root, relationsOf } from './shape.ts';

/**
 * Returns root fields with every field below them, three relationships deep.
 * @param deep the selections below other root fields of the role
 */
export function selections(root: Root, roleView: RoleView, deep = new Tree()): readonly string[] {
  if (root.kind === 'aggregate') return [`${root.name} { ${aggregateOf(root.type, true)} }`];
  const calls = root.kind === 'list' ? [root.name] : keyCalls(root, roleView);
  const relations = relationsOf(root.type);
  return calls.flatMap((call) => [
    `${call} { __typename ${leavesOf(root.type).join(' ')} }`,
    ...relations.map((relation) => `${call} { ${new Tree().related(relation, [])} }`),
    ...(root.kind === 'list'
      ? relations.map(
          (relation) => `${call}${few(root.field, 2)} { ${deep.related(relation, [3, 2, 2])} }`,
        )
      : []),
  ]);
}

/** Returns the root fields that find a visible row by its key. */
function keyCalls(root: Root, roleView: RoleView): readonly string[] {
  const [row] = roleView.rows.get(root.table.key) ?? [];
  return row ? [keyCall(root, (column) => row.values[column] ?? '')] : [];
}

/** Returns pairs of root fields: one with the key of a hidden row, and one with a key that no row has. */
export function keyTwins(root: Root, roleView: RoleView): readonly Twins[] {
  return (roleView.hidden.get(root.table.key) ?? []).map(({ values }) => {
    const call = (change: (value: string) => string) =>
      `${keyCall(root, (column) => change(values[column] ?? ''))} { __typename }`;
    return { foreign: call((value) => value), absent: call(absentLike) };
  });
}

/** The call of the root field, e.g. `t_by_pk(id: …)`. */
function keyCall(root: Root, value: (column: string) => string): string {
  const args = root.field.args.map(
    ({ name, type }) => `${name}: ${literalOf(type, value(columnOf(root, name)))}`,
  );
  return `${root.name}(${args.join(', ')})`;
}

function columnOf({ table }: Root, name: string): string {
  const column = [...table.columns.values()].find(({ graphqlName }) => graphqlName === name);
  if (!column) throw new Error(`${table.key} has no column ${name}`);
  return column.name;
}

type Relation = ReturnType<typeof relationsOf>[number];

/** Selections below relationships. The relationships of a table are selected once for each distance from the root. */
export class Tree {
  readonly #met = new Set<string>();

  /** Returns a relationship with all its rows, or with a limit on each step behind it. */
  related({ name, type, field }: Relation, limits: readonly number[]): string {
    const inner = isAggregate(type)
      ? aggregateOf(type, limits.length === 0)
      : this.#row(type, limits.slice(1));
    return `${name}${few(field, limits[0])} { ${inner} }`;
  }

  #row(type: GraphQLObjectType, limits: readonly number[]): string {
    const place = `${limits.length} ${type.name}`;
    const goesOn = limits.length > 0 && !this.#met.has(place);
    this.#met.add(place);
    const relations = goesOn ? relationsOf(type) : [];
    return [...leavesOf(type), ...relations.map((one) => this.related(one, limits))].join(' ');
  }
}

// Near the root, selects all functions once. Further away, selects only functions that return values of rows.
function aggregateOf(type: GraphQLObjectType, all: boolean): string {
  return relationsOf(type)
    .map(({ name, type: inner }) =>
      name === 'aggregate'
        ? `aggregate { ${functionsOf(inner, all)} }`
        : `${name} { ${leavesOf(inner).join(' ')} }`,
    )
    .join(' ');
}

function functionsOf(type: GraphQLObjectType, all: boolean): string {
  const functions = relationsOf(type).filter(({ name }) => all || name === 'max');
  return [
    ...leavesOf(type),
    ...functions.map(({ name, type: inner }) => `${name} { ${leavesOf(inner).join(' ')} }`),
  ].join(' ');
}

/**
 * Returns arguments for a number of rows. Rows of other tenants come first, because keys rise in the order of planting.
 */
function few({ args }: Field, limit: number | undefined): string {
  if (limit === undefined || !args.some(({ name }) => name === 'limit')) return '';
  const order = args.find(({ name }) => name === 'order_by');
  const type = order && getNamedType(order.type);
  const hasId = type && isInputObjectType(type) && 'id' in type.getFields();
  return hasId ? `(limit: ${limit}, order_by: {id: desc})` : `(limit: ${limit})`;
}
