import type {} from 'postgraphile/graphile-build';
import { GraphQLList } from 'postgraphile/graphql';
import type { Comparison } from '../view/comparison.ts';
import type { ValueView } from '../view/role-view.ts';
import { isBuiltin, type Scalar } from '../view/scalar.ts';
import { type Dialect, listOf } from './dialect-plugin.ts';

/** `uuid_comparison_exp` … : what a column of each type may be compared with. */
export const ComparisonTypesPlugin: GraphileConfig.Plugin = {
  name: 'ComparisonTypesPlugin',
  version: '1.0.0',
  after: ['DialectPlugin'],
  schema: {
    hooks: {
      init(_, build) {
        const { rowgate } = build;
        for (const [name, value] of comparedValues(rowgate)) {
          const fields = () => comparisonFields(rowgate, value);
          build.registerInputObjectType(
            name,
            {},
            () => ({ fields, description: describe(value) }),
            name,
          );
        }
        if (castsJson(rowgate)) {
          const fields = () => ({ String: { type: rowgate.input('String_comparison_exp') } });
          build.registerInputObjectType(JSON_CAST, {}, () => ({ fields }), JSON_CAST);
        }
        return _;
      },
    },
  },
};

const JSON_CAST = 'jsonb_cast_exp';

/** `String_comparison_exp`, or `String_array_comparison_exp` for an array column. */
export function comparisonTypeName({ name, isArray }: Scalar): string {
  return `${name}${isArray ? '_array' : ''}_comparison_exp`;
}

function comparedValues({ view }: Dialect): ReadonlyMap<string, ValueView> {
  const values = [...view.tables.values()].flatMap(({ columns, computed }) => [
    ...columns.values(),
    ...computed.values(),
  ]);
  return new Map(values.map((value) => [comparisonTypeName(value.scalar), value]));
}

function comparisonFields(dialect: Dialect, { scalar, comparisons }: ValueView) {
  const fields = [...comparisons.values()].map((comparison) => [
    comparison.name,
    { type: operandType(dialect, scalar, comparison) },
  ]);
  return {
    ...Object.fromEntries(fields),
    _is_null: { type: dialect.input('Boolean') },
    ...(isJsonb(scalar) && castsJson(dialect) && { _cast: { type: dialect.input(JSON_CAST) } }),
  };
}

function operandType(dialect: Dialect, scalar: Scalar, { operand }: Comparison) {
  switch (operand) {
    case 'text':
      return dialect.input('String');
    case 'textList':
      return listOf(dialect.input('String'));
    case 'same':
      return dialect.columnInput(scalar);
    case 'list':
      return scalar.isArray
        ? new GraphQLList(dialect.columnInput(scalar))
        : listOf(dialect.input(scalar.name));
  }
}

function describe({ scalar }: ValueView): string {
  const all = 'All given comparisons must hold.';
  return scalar.labels && !scalar.isArray ? `${all} Labels: ${scalar.labels.join(', ')}.` : all;
}

function isJsonb({ isArray, type }: Scalar): boolean {
  return !isArray && isBuiltin(type) && type.name === 'jsonb';
}

// The cast compares as String does, which the schema knows only where some column is a String.
function castsJson(dialect: Dialect): boolean {
  const compared = comparedValues(dialect);
  return compared.has('String_comparison_exp') && compared.has('jsonb_comparison_exp');
}
