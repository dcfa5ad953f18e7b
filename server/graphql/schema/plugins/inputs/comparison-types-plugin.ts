import type {} from 'postgraphile/graphile-build';
import { GraphQLList } from 'postgraphile/graphql';
import { countResult, textResult } from '../../view/aggregate-predicates.ts';
import type { ValueView } from '../../view/column-view.ts';
import type { Comparison } from '../../view/comparison.ts';
import type { Scalar } from '../../view/scalar.ts';
import { makePart } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';

/** Defines `uuid_comparison_exp` and similar types: the comparisons that each column type supports. */
export const comparisonTypesPart = makePart('ComparisonTypesPlugin', {
  types(build) {
    const { rowgate } = build;
    for (const [name, value] of comparedValues(rowgate)) {
      const fields = () => comparisonFields(rowgate, value);
      const config = () => ({ fields, description: describe(value) });
      build.registerInputObjectType(name, {}, config, name);
    }
    for (const name of CAST) {
      const fields = () => ({ String: { type: rowgate.input('String_comparison_exp') } });
      const type = castTypeName(name);
      build.registerInputObjectType(type, {}, () => ({ fields }), type);
    }
  },
});

/** Types that can also be compared by their text. */
const CAST: ReadonlySet<string> = new Set(['citext', 'jsonb', 'uuid']);

function castTypeName(scalar: string): string {
  return `${scalar}_cast_exp`;
}

/** Returns `String_comparison_exp`, or `String_array_comparison_exp` for an array column. */
export function comparisonTypeName({ name, isArray }: Scalar): string {
  return `${name}${isArray ? '_array' : ''}_comparison_exp`;
}

type ComparedValue = Pick<ValueView, 'scalar' | 'comparisons'>;

function comparedValues({ view }: Dialect): ReadonlyMap<string, ComparedValue> {
  const values = [...view.tables.values()].flatMap(({ columns, computed }) => [
    ...columns.values(),
    ...computed.values(),
  ]);
  // The types for comparing counts and texts are always defined, because conditions use them even when no column has
  // such a type. The schema omits types that nothing refers to.
  return new Map(
    [countResult, textResult, ...values].map((value) => [comparisonTypeName(value.scalar), value]),
  );
}

function comparisonFields(dialect: Dialect, { scalar, comparisons }: ComparedValue) {
  const fields = [...comparisons.values()].map((comparison) => [
    comparison.name,
    { type: operandType(dialect, scalar, comparison) },
  ]);
  return {
    ...Object.fromEntries(fields),
    _is_null: { type: dialect.input('Boolean') },
    ...(isCast(scalar) && { _cast: { type: dialect.input(castTypeName(scalar.type.name)) } }),
  };
}

function operandType(dialect: Dialect, scalar: Scalar, { operand }: Comparison) {
  switch (operand) {
    case 'text':
      return dialect.input('String');
    case 'texts':
      return listOf(dialect.input('String'));
    case 'value':
      return dialect.columnInput(scalar);
    case 'list':
      return scalar.isArray
        ? new GraphQLList(dialect.columnInput(scalar))
        : listOf(dialect.input(scalar.name));
  }
}

function describe({ scalar }: ComparedValue): string {
  const all = 'All given comparisons must hold.';
  return scalar.labels && !scalar.isArray ? `${all} Labels: ${scalar.labels.join(', ')}.` : all;
}

function isCast({ isArray, type }: Scalar): boolean {
  return !isArray && CAST.has(type.name);
}
