import {
  type ComparisonOperator,
  comparisonOperators,
  type OperatorGroup,
} from '../../../../permissions/index.ts';
import type { ColumnType } from '../registry/column-type.ts';
import type { ExtensionOperators } from '../registry/extension-operators.ts';
import { isBuiltin, isComparable, type Scalar } from './scalar.ts';

/** Compares with a value: only rules compare columns with columns. */
type ValueOperator = ComparisonOperator & {
  readonly operand: Exclude<ComparisonOperator['operand'], 'column'>;
};

/** A comparison that a client may ask for on a column. */
export interface Comparison extends Omit<ValueOperator, 'right'> {
  /** The field in GraphQL, e.g. `_ilike`. */
  readonly name: string;
  /** Where the operator lives. */
  readonly schema: string;
  /** Type of the right-hand side where it is not the column's. */
  readonly right?: { readonly schema: string; readonly name: string };
}

type Template = ValueOperator & { readonly name: string };

const TEMPLATES: readonly Template[] = [...comparisonOperators].flatMap(
  ([name, { operand, ...operator }]) =>
    operand === 'column' ? [] : [{ ...operator, name, operand }],
);

const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'name']);

/**
 * The comparisons that suit a column's type, each with the schema its operator lives in.
 * `operators` is needed for types outside pg_catalog only.
 */
export function comparisonsOf(
  scalar: Scalar,
  operators?: ExtensionOperators,
): ReadonlyMap<string, Comparison> {
  const groups = scalar.values ? ENUM : groupsOf(scalar.type);
  const found = TEMPLATES.flatMap((template) => {
    const comparison = groups.includes(template.group) && resolve(template, scalar.type, operators);
    return comparison ? [[comparison.name, comparison] as const] : [];
  });
  return new Map(found);
}

/** A value of an enum table is one or another: it has no order. */
const ENUM: readonly OperatorGroup[] = ['equality'];
const ORDERED: readonly OperatorGroup[] = ['equality', 'order'];

function groupsOf(type: ColumnType): readonly OperatorGroup[] {
  if (!isComparable(type)) return [];
  if (type.element) return [...ORDERED, 'container'];
  if (type.name === 'ltree') return [...ORDERED, 'ltree'];
  if (!isBuiltin(type)) return [...ORDERED, 'text'];
  if (type.name === 'jsonb') return [...ORDERED, 'container', 'jsonb'];
  return TEXT_TYPES.has(type.name) ? [...ORDERED, 'text'] : ORDERED;
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
    const shared = isGeneric || ORDERED.includes(template.group);
    return shared && right === undefined ? { ...rest, schema: 'pg_catalog' } : undefined;
  }
  const own = operators.operator(type.schema, type.name, template.symbol, right);
  return own && { ...rest, schema: own.schema, ...(right !== undefined && { right: own.right }) };
}
