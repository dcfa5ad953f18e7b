import type { OperatorSymbol } from '../text/operator-symbols.ts';

/**
 * A group of operators, named after the types that have them. `container`: jsonb, arrays and all types with `@>`.
 * `text`: all types with `~~`. Values of enum tables have only `equality` in GraphQL, because they have no order.
 */
export type OperatorGroup = 'equality' | 'order' | 'text' | 'container' | 'jsonb' | 'ltree';

/** A comparison operator, as rules, clients and Hasura's metadata use it. */
export interface ComparisonOperator {
  /** The Postgres operator. */
  readonly symbol: OperatorSymbol;
  readonly group: OperatorGroup;
  /**
   * The form of the right-hand side: a value of the column's type, a list of such values, one text, several texts, or
   * another column.
   */
  readonly operand: 'value' | 'list' | 'text' | 'texts' | 'column';
  /** The right-hand side is an array, and the comparison must hold for any of its elements, or for all of them. */
  readonly quantifier?: 'any' | 'all';
  /** For `similar to`: Postgres's function similar_to_escape converts the pattern first. */
  readonly pattern?: 'similar';
  /** For `_neq`: in rules, unlike in SQL, the comparison is also true if the column is null. */
  readonly orNullInRules?: true;
  /** Name of the right-hand side's type, if it differs from the column's type. Both types are in the same schema. */
  readonly right?: string;
  /** A second name of the operator in Hasura. Only imports of Hasura's metadata read it. */
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
 * have column comparisons (`_ceq` …). The table has neither `_is_null` nor `_cast`, because they are not Postgres
 * operators. `suits` (resolve/resolve-comparison.ts) decides which types have the operators of a group in rules, and
 * `groupsOf` (server/graphql/schema/view/comparison.ts) for clients.
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

/**
 * Operators whose right-hand side is a pattern. A session variable on that side can contain a wildcard, which matches
 * more rows.
 */
export const patternSymbols: ReadonlySet<string> = new Set(
  Object.values(table)
    .filter(({ group }) => group === 'text')
    .map(({ symbol }) => symbol),
);
