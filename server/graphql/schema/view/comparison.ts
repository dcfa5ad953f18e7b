import type { ColumnType } from '../registry/column-type.ts';
import type { ExtensionOperators } from '../registry/extension-operators.ts';
import { isBuiltin, isComparable, type Scalar } from './scalar.ts';

/** What stands on an operator's right: a value of the column's type, a list of them, or a type of its own. */
export type OperandKind = 'same' | 'list' | 'text' | 'textList';

/** A comparison that a client may ask for. */
export interface Comparison {
  /** As in GraphQL, e.g. `_ilike`. */
  readonly name: string;
  readonly operand: OperandKind;
  /** As in pg_operator. */
  readonly symbol: string;
  readonly schema: string;
  /** `any`: = any(list), `all`: <> all(list). */
  readonly quantifier?: 'any' | 'all';
  /** The pattern goes through similar_to_escape. */
  readonly similar?: true;
  /** Type of the right-hand side where it is not the column's. */
  readonly right?: { readonly schema: string; readonly name: string };
}

type Template = Omit<Comparison, 'schema' | 'right'> & { readonly right?: string };

const EQUALITY: readonly Template[] = [
  { name: '_eq', operand: 'same', symbol: '=' },
  { name: '_neq', operand: 'same', symbol: '<>' },
  { name: '_gt', operand: 'same', symbol: '>' },
  { name: '_gte', operand: 'same', symbol: '>=' },
  { name: '_lt', operand: 'same', symbol: '<' },
  { name: '_lte', operand: 'same', symbol: '<=' },
  { name: '_in', operand: 'list', symbol: '=', quantifier: 'any' },
  { name: '_nin', operand: 'list', symbol: '<>', quantifier: 'all' },
];

/** Of an enum table only whether it is this value or that: it has no order. */
const ENUM = EQUALITY.filter(({ name }) => ['_eq', '_neq', '_in', '_nin'].includes(name));

const TEXT: readonly Template[] = [
  { name: '_like', operand: 'same', symbol: '~~' },
  { name: '_nlike', operand: 'same', symbol: '!~~' },
  { name: '_ilike', operand: 'same', symbol: '~~*' },
  { name: '_nilike', operand: 'same', symbol: '!~~*' },
  { name: '_regex', operand: 'same', symbol: '~' },
  { name: '_nregex', operand: 'same', symbol: '!~' },
  { name: '_iregex', operand: 'same', symbol: '~*' },
  { name: '_niregex', operand: 'same', symbol: '!~*' },
  { name: '_similar', operand: 'same', symbol: '~', similar: true },
  { name: '_nsimilar', operand: 'same', symbol: '!~', similar: true },
];

const CONTAINMENT: readonly Template[] = [
  { name: '_contains', operand: 'same', symbol: '@>' },
  { name: '_contained_in', operand: 'same', symbol: '<@' },
];

const KEYS: readonly Template[] = [
  { name: '_has_key', operand: 'text', symbol: '?' },
  { name: '_has_keys_any', operand: 'textList', symbol: '?|' },
  { name: '_has_keys_all', operand: 'textList', symbol: '?&' },
];

const LTREE: readonly Template[] = [
  { name: '_ancestor', operand: 'same', symbol: '@>' },
  { name: '_ancestor_any', operand: 'list', symbol: '@>', right: '_ltree' },
  { name: '_descendant', operand: 'same', symbol: '<@' },
  { name: '_descendant_any', operand: 'list', symbol: '<@', right: '_ltree' },
  { name: '_matches', operand: 'text', symbol: '~', right: 'lquery' },
  { name: '_matches_any', operand: 'textList', symbol: '?', right: '_lquery' },
  { name: '_matches_fulltext', operand: 'text', symbol: '@', right: 'ltxtquery' },
  {
    ...{ name: '_matches_fulltext_any', operand: 'textList', symbol: '@', right: 'ltxtquery' },
    quantifier: 'any',
  },
];

const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'name']);

/**
 * The comparisons that suit a column's type, each with the schema its operator lives in.
 * `operators` is needed for types outside pg_catalog only.
 */
export function comparisonsOf(
  scalar: Scalar,
  operators?: ExtensionOperators,
): ReadonlyMap<string, Comparison> {
  const templates = scalar.values ? ENUM : templatesOf(scalar.type);
  const found = templates.flatMap((template) => {
    const comparison = resolve(template, scalar.type, operators);
    return comparison ? [[comparison.name, comparison] as const] : [];
  });
  return new Map(found);
}

function templatesOf(type: ColumnType): readonly Template[] {
  if (!isComparable(type)) return [];
  if (type.element) return [...EQUALITY, ...CONTAINMENT];
  if (type.name === 'ltree') return [...EQUALITY, ...LTREE];
  if (!isBuiltin(type)) return [...EQUALITY, ...TEXT];
  if (type.name === 'jsonb') return [...EQUALITY, ...CONTAINMENT, ...KEYS];
  return TEXT_TYPES.has(type.name) ? [...EQUALITY, ...TEXT] : EQUALITY;
}

// Arrays, enums, ranges and composites share the operators of pg_catalog; other types outside it bring their own.
function resolve(
  template: Template,
  type: ColumnType,
  operators: ExtensionOperators | undefined,
): Comparison | undefined {
  const { right, ...rest } = template;
  const isGeneric = isBuiltin(type) || type.element !== undefined;
  if (isGeneric || !operators?.knows(type.schema, type.name)) {
    const shared = isGeneric || EQUALITY.includes(template);
    return shared && right === undefined ? { ...rest, schema: 'pg_catalog' } : undefined;
  }
  const own = operators.operator(type.schema, type.name, template.symbol, right);
  return own && { ...rest, schema: own.schema, ...(right !== undefined && { right: own.right }) };
}
