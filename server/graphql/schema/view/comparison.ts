import type { ComparisonOperator, OperatorGroup } from '../../../../permissions/index.ts';
import { comparisonOperators } from '../../../../permissions/role-view.ts';
import type { ColumnType } from '../registry/column-type.ts';
import type { ExtensionOperators } from '../registry/extension-operators.ts';
import { isBuiltin, isComparable, type Scalar } from './scalar.ts';

/** Clients compare with values only; comparisons between columns exist only in rules. */
type ValueOperator = ComparisonOperator & {
  readonly operand: Exclude<ComparisonOperator['operand'], 'column'>;
};

/** A comparison that a client may use on a column. */
export interface Comparison extends Omit<ValueOperator, 'right'> {
  /** Name of the GraphQL field, for example `_ilike`. */
  readonly name: string;
  /** Schema of the operator. */
  readonly schema: string;
  /** Type of the right-hand side, if it differs from the type of the column. */
  readonly right?: { readonly schema: string; readonly name: string };
}

type Template = ValueOperator & { readonly name: string };

const TEMPLATES: readonly Template[] = [...comparisonOperators].flatMap(
  ([name, { operand, ...operator }]) =>
    operand === 'column' ? [] : [{ ...operator, name, operand }],
);

const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'name']);

type Comparisons = ReadonlyMap<string, Comparison>;

const noOperators = {};
const shared = new WeakMap<
  object,
  { readonly [kind in 'values' | 'enum']: WeakMap<ColumnType, Comparisons> }
>();

/**
 * Returns the comparisons for a type, each with the schema of its operator. Only types outside pg_catalog need
 * `operators`. All columns of a type share its comparisons.
 */
export function comparisonsOf(scalar: Scalar, operators?: ExtensionOperators): Comparisons {
  const owner = operators ?? noOperators;
  const kinds = shared.get(owner) ?? { values: new WeakMap(), enum: new WeakMap() };
  shared.set(owner, kinds);
  const byType = kinds[scalar.values ? 'enum' : 'values'];
  const known = byType.get(scalar.type);
  if (known) return known;
  const made = findComparisons(scalar, operators);
  byType.set(scalar.type, made);
  return made;
}

function findComparisons(scalar: Scalar, operators: ExtensionOperators | undefined): Comparisons {
  const groups = scalar.values ? ENUM : groupsOf(scalar.type);
  const found = TEMPLATES.flatMap((template) => {
    const comparison = groups.includes(template.group) && resolve(template, scalar.type, operators);
    return comparison ? [[comparison.name, comparison] as const] : [];
  });
  return new Map(found);
}

/** The values of an enum table have no order. */
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

// Arrays, enums, ranges and composite types use the operators of pg_catalog. Other types outside pg_catalog have
// separate operators.
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
