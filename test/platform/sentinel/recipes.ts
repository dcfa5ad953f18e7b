import type { BoolExp, Model } from '../../../permissions/index.ts';

/** The values that a row of any owner needs to pass a rule. */
export interface Recipe {
  readonly values: Readonly<Record<string, string | null>>;
  /** Columns that must not be null. */
  readonly keep: readonly string[];
}

const anything: Recipe = { values: {}, keep: [] };

/** Returns one recipe for each alternative in each role's select filter on the table. */
export function recipesOf(model: Model, table: string): readonly Recipe[] {
  const filters = [...model.roles.values()].flatMap(
    ({ tables }) => tables.get(table)?.select?.filter ?? [],
  );
  const recipes = filters.flatMap(waysThrough);
  return [...new Map(recipes.map((recipe) => [JSON.stringify(recipe), recipe])).values()];
}

function waysThrough(filter: BoolExp): readonly Recipe[] {
  switch (filter.kind) {
    case 'and':
      return filter.items.reduce<readonly Recipe[]>(
        (ways, item) => ways.flatMap((way) => waysThrough(item).map((next) => both(way, next))),
        [anything],
      );
    case 'or':
      return filter.items.flatMap(waysThrough);
    case 'isNull':
      if ('field' in filter.column) return [anything];
      return [
        filter.negated
          ? { values: {}, keep: [filter.column.column] }
          : { values: { [filter.column.column]: null }, keep: [] },
      ];
    case 'compare':
      return [compared(filter)];
    case 'related':
      return [{ values: {}, keep: filter.relationship.columns.map(({ local }) => local) }];
    default:
      return [anything];
  }
}

function both(a: Recipe, b: Recipe): Recipe {
  return { values: { ...a.values, ...b.values }, keep: [...new Set([...a.keep, ...b.keep])] };
}

function compared({ column, operator, operand }: Extract<BoolExp, { kind: 'compare' }>): Recipe {
  const first = operand.kind === 'array' ? operand.items[0] : operand;
  if (operator.symbol !== '=' || first === undefined || 'field' in column) return anything;
  if (first.kind !== 'literal') return { values: {}, keep: [column.column] };
  // For a list, e.g. `{"ready","locked"}`, the first element.
  const [, element = first.text] = first.type.element
    ? (/^\{"?([^",}]*)/.exec(first.text) ?? [])
    : [];
  return { values: { [column.column]: element }, keep: [] };
}
