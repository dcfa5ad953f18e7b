import { type SQL, sql } from 'postgraphile/pg-sql2';
import { sqlTypeOf } from '../../schema/registry/column-type.ts';
import { textResult } from '../../schema/view/aggregate-predicates.ts';
import type { ValueView } from '../../schema/view/column-view.ts';
import type { Comparison } from '../../schema/view/comparison.ts';
import type { Compilation } from '../compilation.ts';
import { ofBase, operator, TEXT } from '../fragments.ts';
import { type Encode, encoderOf, encodeText, listOf } from '../input/encode.ts';
import type { Input } from '../input/input.ts';

type ComparedValue = Pick<ValueView, 'name' | 'scalar' | 'comparisons'>;

/** Compiles a comparison expression, for example `{_gt: 1, _lt: 5}`, on the value of a column. */
export function compileComparison(
  compilation: Compilation,
  column: ComparedValue,
  value: SQL,
  input: Input,
): SQL {
  const parts = input.fields().map(([name, operand]) => {
    compilation.count();
    if (name === '_is_null') return isNull(value, operand);
    if (name === '_cast') return cast(compilation, value, operand);
    const comparison = column.comparisons.get(name);
    if (!comparison) throw new Error(`${column.name} cannot be compared by ${name}`);
    return compare(compilation, column, comparison, ofBase(value, column.scalar), operand);
  });
  return parts.length === 0 ? sql`true` : sql`(${sql.join(parts, ' and ')})`;
}

function isNull(value: SQL, operand: Input): SQL {
  return operand.constant() === true ? sql`${value} is null` : sql`${value} is not null`;
}

function compare(
  compilation: Compilation,
  column: ComparedValue,
  comparison: Comparison,
  value: SQL,
  operand: Input,
): SQL {
  const { scalar } = column;
  const symbol = operator(comparison);
  const encode = encoderOf(scalar);
  if (comparison.operand === 'list' && scalar.isArray) {
    const items = operand.items();
    compilation.count(items.length);
    return membership(comparison, value, symbol, items, encode, sqlTypeOf(scalar.type));
  }
  const right = rightOf(comparison, column, operand, encode);
  if (comparison.quantifier === 'any') return sql`${value} ${symbol} any (${right})`;
  if (comparison.quantifier === 'all') return sql`${value} ${symbol} all (${right})`;
  if (comparison.pattern === 'similar') {
    return sql`${value}${TEXT} ${operator({ ...comparison, schema: 'pg_catalog' })} pg_catalog.similar_to_escape(${right}${TEXT})`;
  }
  return sql`${value} ${symbol} ${right}`;
}

function rightOf(
  comparison: Comparison,
  { scalar }: ComparedValue,
  operand: Input,
  encode: Encode,
): SQL {
  const { operand: kind, right } = comparison;
  const type = sqlTypeOf(scalar.type);
  switch (kind) {
    case 'value':
      return sql`${operand.parameter(encode)}::${type}`;
    case 'list':
      return sql`${operand.parameter(listOf(encode))}::${type}[]`;
    case 'text':
      return sql`${operand.parameter(encodeText)}${right ? castTo(right) : TEXT}`;
    case 'texts':
      return sql`${operand.parameter(listOf(encodeText))}${listType(comparison)}`;
  }
}

// An operator with a quantifier applies to each element of the list. Any other operator takes the whole array.
function listType({ right, quantifier }: Comparison): SQL {
  if (!right) return sql`${TEXT}[]`;
  return quantifier ? sql`${castTo(right)}[]` : castTo(right);
}

function castTo({ schema, name }: { readonly schema: string; readonly name: string }): SQL {
  return sql`::${sql.identifier(schema, name)}`;
}

// Compares with each array separately. Postgres merges an array of arrays into one array with more dimensions, so `any`
// would compare with elements.
function membership(
  { quantifier }: Comparison,
  value: SQL,
  symbol: SQL,
  items: readonly Input[],
  encode: Encode,
  type: SQL,
): SQL {
  const parts = items.map((item) => sql`${value} ${symbol} ${item.parameter(encode)}::${type}`);
  if (parts.length === 0) return quantifier === 'any' ? sql`false` : sql`true`;
  return sql`(${sql.join(parts, quantifier === 'any' ? ' or ' : ' and ')})`;
}

// `_cast: {String: …}` compares the text of the value.
function cast(compilation: Compilation, value: SQL, operand: Input): SQL {
  const parts = operand
    .fields()
    .map(([, input]) => compileComparison(compilation, textResult, sql`${value}${TEXT}`, input));
  return parts.length === 0 ? sql`true` : sql.join(parts, ' and ');
}
