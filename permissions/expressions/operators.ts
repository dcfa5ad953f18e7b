import type { OperatorSymbol } from '../text/operator-symbols.ts';

/**
 * The types that a group of operators applies to. `container`: jsonb, arrays and all types with `@>`. `text`: all
 * types with `~~`. Clients can compare values of enum tables only by `equality`, because they have no order.
 */
export type OperatorGroup = 'equality' | 'order' | 'text' | 'container' | 'jsonb' | 'ltree';

/** A comparison operator of rules, clients and Hasura's metadata. */
export interface ComparisonOperator {
  /** The Postgres operator. */
  readonly symbol: OperatorSymbol;
  readonly group: OperatorGroup;
  /**
   * The right-hand side: a value of the column's type, a list of such values, one text, several texts, or a column.
   */
  readonly operand: 'value' | 'list' | 'text' | 'texts' | 'column';
  /** Compares with any element, or with all elements, of the right-hand side. */
  readonly quantifier?: 'any' | 'all';
  /** `similar to`: the pattern is passed through similar_to_escape. */
  readonly pattern?: 'similar';
  /** In rules, the comparison is also true if the column is null. */
  readonly orNullInRules?: true;
  /** Type of the right-hand side if it is not the column's type. It is in the same schema as the column's type. */
  readonly right?: string;
  /** Hasura's second name for the operator. Only imported metadata uses it. */
  readonly alias?: string;
}

const value = (
  symbol: OperatorSymbol,
  group: OperatorGroup,
  more: Partial<ComparisonOperator> = {},
): ComparisonOperator => ({ symbol, group, operand: 'value', ...more });

const tree = (
  symbol: OperatorSymbol,
  operand: ComparisonOperator['operand'],
  right: string,
): ComparisonOperator => ({ symbol, group: 'ltree', operand, right });

const column = (
  symbol: OperatorSymbol,
  group: OperatorGroup,
  more: Partial<ComparisonOperator> = {},
): ComparisonOperator => ({ symbol, group, operand: 'column', ...more });

/**
 * Every comparison operator by its name in rules, GraphQL and Hasura, in the order of the GraphQL schema. Only rules
 * have column comparisons (`_ceq` …). `_is_null` and `_cast` are missing, because they are not Postgres operators.
 */
const table: Readonly<Record<string, ComparisonOperator>> = {
  _eq: value('=', 'equality'),
  _neq: value('<>', 'equality', { orNullInRules: true, alias: '_ne' }),
  _gt: value('>', 'order'),
  _gte: value('>=', 'order'),
  _lt: value('<', 'order'),
  _lte: value('<=', 'order'),
  _in: { symbol: '=', group: 'equality', operand: 'list', quantifier: 'any' },
  _nin: { symbol: '<>', group: 'equality', operand: 'list', quantifier: 'all' },
  _like: value('~~', 'text'),
  _nlike: value('!~~', 'text'),
  _ilike: value('~~*', 'text'),
  _nilike: value('!~~*', 'text'),
  _regex: value('~', 'text'),
  _nregex: value('!~', 'text'),
  _iregex: value('~*', 'text'),
  _niregex: value('!~*', 'text'),
  _similar: value('~', 'text', { pattern: 'similar' }),
  _nsimilar: value('!~', 'text', { pattern: 'similar' }),
  _contains: value('@>', 'container'),
  _contained_in: value('<@', 'container'),
  _has_key: { symbol: '?', group: 'jsonb', operand: 'text' },
  _has_keys_any: { symbol: '?|', group: 'jsonb', operand: 'texts' },
  _has_keys_all: { symbol: '?&', group: 'jsonb', operand: 'texts' },
  _ancestor: tree('@>', 'value', 'ltree'),
  _ancestor_any: tree('@>', 'list', '_ltree'),
  _descendant: tree('<@', 'value', 'ltree'),
  _descendant_any: tree('<@', 'list', '_ltree'),
  _matches: tree('~', 'text', 'lquery'),
  _matches_any: tree('?', 'texts', '_lquery'),
  _matches_fulltext: tree('@', 'text', 'ltxtquery'),
  _matches_fulltext_any: { ...tree('@', 'texts', 'ltxtquery'), quantifier: 'any' },
  _ceq: column('=', 'equality'),
  _cneq: column('<>', 'equality', { alias: '_cne' }),
  _cgt: column('>', 'order'),
  _cgte: column('>=', 'order'),
  _clt: column('<', 'order'),
  _clte: column('<=', 'order'),
};

export const comparisonOperators: ReadonlyMap<string, ComparisonOperator> = new Map(
  Object.entries(table),
);

/** Symbols whose right-hand side is a pattern. */
export const patternSymbols: ReadonlySet<string> = new Set(
  Object.values(table)
    .filter(({ group }) => group === 'text')
    .map(({ symbol }) => symbol),
);
