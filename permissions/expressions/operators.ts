/** What an operator of a rule does to its column. */
export interface RuleOperator {
  /** The Postgres operator. */
  readonly symbol: string;
  /** What the right-hand side is: a value of the column's type, an array of such, a text, several texts, or another column. */
  readonly operand: 'same' | 'array' | 'text' | 'texts' | 'column';
  readonly quantifier?: 'any' | 'all';
  readonly pattern?: 'similar';
  /** Also true where the column is null. */
  readonly orNull?: true;
  /** Types it is for; absent: every type that has the symbol. */
  readonly only?: 'text' | 'jsonb' | 'container' | 'ltree';
  /** Type of the right-hand side beside the column's own, in the same schema. */
  readonly right?: string;
}

const like = (symbol: string): RuleOperator => ({ symbol, operand: 'same', only: 'text' });

const tree = (symbol: string, right: string): RuleOperator => ({
  ...{ symbol, operand: 'same', only: 'ltree', right },
});

/** Hasura's operators by name; `_is_null` stands apart. */
export const ruleOperators: Readonly<Record<string, RuleOperator>> = {
  _eq: { symbol: '=', operand: 'same' },
  _neq: { symbol: '<>', operand: 'same', orNull: true },
  _gt: { symbol: '>', operand: 'same' },
  _gte: { symbol: '>=', operand: 'same' },
  _lt: { symbol: '<', operand: 'same' },
  _lte: { symbol: '<=', operand: 'same' },
  _in: { symbol: '=', operand: 'array', quantifier: 'any' },
  _nin: { symbol: '<>', operand: 'array', quantifier: 'all' },
  _like: like('~~'),
  _nlike: like('!~~'),
  _ilike: like('~~*'),
  _nilike: like('!~~*'),
  _regex: like('~'),
  _nregex: like('!~'),
  _iregex: like('~*'),
  _niregex: like('!~*'),
  _similar: { ...like('~'), pattern: 'similar' },
  _nsimilar: { ...like('!~'), pattern: 'similar' },
  _contains: { symbol: '@>', operand: 'same', only: 'container' },
  _contained_in: { symbol: '<@', operand: 'same', only: 'container' },
  _has_key: { symbol: '?', operand: 'text', only: 'jsonb' },
  _has_keys_any: { symbol: '?|', operand: 'texts', only: 'jsonb' },
  _has_keys_all: { symbol: '?&', operand: 'texts', only: 'jsonb' },
  _ancestor: tree('@>', 'ltree'),
  _ancestor_any: tree('@>', '_ltree'),
  _descendant: tree('<@', 'ltree'),
  _descendant_any: tree('<@', '_ltree'),
  _matches: tree('~', 'lquery'),
  _matches_any: tree('?', '_lquery'),
  _matches_fulltext: tree('@', 'ltxtquery'),
  _matches_fulltext_any: {
    ...{ symbol: '@', operand: 'array', only: 'ltree', right: 'ltxtquery', quantifier: 'any' },
  },
  _ceq: { symbol: '=', operand: 'column' },
  _cneq: { symbol: '<>', operand: 'column' },
  _cgt: { symbol: '>', operand: 'column' },
  _cgte: { symbol: '>=', operand: 'column' },
  _clt: { symbol: '<', operand: 'column' },
  _clte: { symbol: '<=', operand: 'column' },
};
