import type { Dice } from './dice.ts';
import {
  columnsOf,
  type Data,
  type Row,
  related,
  relations,
  type Table,
  variables,
} from './tables.ts';

/** A condition, in the form that is equal in the metadata and in GraphQL. */
export type Filter = Readonly<Record<string, unknown>>;

export function makeFilter(dice: Dice, table: Table, depth: number): Filter {
  const deeper = (other: Table = table) => makeFilter(dice, other, depth - 1);
  if (dice.chance(0.12)) return {};
  if (depth > 0 && dice.chance(0.5)) {
    const [name, { table: other }] = dice.pick(Object.entries(relations[table]));
    return dice.pick([
      () => ({ _or: [deeper(), deeper()] }),
      () => ({ _and: [deeper(), deeper()] }),
      () => ({ _not: deeper() }),
      () => ({ [name]: deeper(other) }),
    ])();
  }
  const operator = dice.pick(['_eq', '_gt', '_lte', '_neq', '_in', '_is_null']);
  const number = dice.chance(0.25) ? `X-Gql-${dice.pick(Object.keys(variables))}` : dice.below(6);
  const operands = new Map<string, unknown>([
    ['_in', [dice.below(6), dice.below(6), dice.below(6)]],
    ['_is_null', dice.chance(0.2)],
  ]);
  return { [dice.pick(columnsOf[table])]: { [operator]: operands.get(operator) ?? number } };
}

type Truth = boolean | null;

function all(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(null) ? null : true;
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

/**
 * Evaluates a filter on a row as Postgres does, with null for unknown. Related rows are used even if the role may not see them.
 */
export function passes(filter: Filter, table: Table, row: Row, data: Data): Truth {
  const below = (one: unknown, other = table, at = row) => passes(one as Filter, other, at, data);
  return all(
    Object.entries(filter).map(([name, value]) => {
      if (name === '_and') return all((value as readonly unknown[]).map((one) => below(one)));
      if (name === '_or')
        return not(all((value as readonly unknown[]).map((one) => not(below(one)))));
      if (name === '_not') return not(below(value));
      const relation = relations[table][name];
      if (relation) {
        return related(relation, row, data).some((one) => below(value, relation.table, one));
      }
      return compare(row[name] ?? null, value as Filter);
    }),
  );
}

function compare(value: number | null, comparison: Filter): Truth {
  return all(
    Object.entries(comparison).map(([operator, operand]) => {
      if (operator === '_is_null') return (value === null) === operand;
      if (operator === '_neq') return value === null || value !== numberOf(operand);
      if (value === null) return null;
      if (operator === '_in') return (operand as readonly number[]).includes(value);
      const other = numberOf(operand);
      return operator === '_eq'
        ? value === other
        : operator === '_gt'
          ? value > other
          : value <= other;
    }),
  );
}

function numberOf(operand: unknown): number {
  const named = new Map<unknown, number>(
    Object.entries(variables).map(([name, value]) => [`X-Gql-${name}`, value]),
  );
  return named.get(operand) ?? (operand as number);
}
