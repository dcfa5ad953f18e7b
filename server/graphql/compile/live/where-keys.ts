import {
  canonicalTexts,
  type KeyValues,
  type KnownKeys,
  keysOfAll,
  keysOfAny,
} from '../../../../permissions/index.ts';
import type { BoundValue } from '../../../db/requests/wire/message-writer.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { Comparison } from '../../schema/view/comparison.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import type { Variables } from '../../validate/variables.ts';
import { encoderOf, listOf } from '../input/encode.ts';
import type { Input } from '../input/input.ts';

/** Values of columns that the arguments of a field determine. */
export type ArgumentKeys = KnownKeys<Variables>;

export const noKeys: ArgumentKeys = new Map();

/** Returns the values of columns, by name in the table, in the rows that satisfy a `where` argument. */
export function keysOfWhere(table: TableView, where: Input | undefined): ArgumentKeys {
  if (!table.model.live || !where || where.isNull()) return noKeys;
  const conditions = where.fields().map(([name, input]): ArgumentKeys => {
    const items = () => input.items().map((item) => keysOfWhere(table, item));
    if (name === '_and') return keysOfAll(items());
    if (name === '_or') return keysOfAny(items());
    const column = table.columns.get(name);
    return column ? keysOfComparisons(column, input) : noKeys;
  });
  return keysOfAll(conditions);
}

/** Returns the values of the primary key that a field looks up. */
export function keysOfPrimaryKey(
  { primaryKey }: TableView,
  args: Readonly<Record<string, Input>>,
): ArgumentKeys {
  const known = primaryKey.flatMap((column) => {
    const value = args[column.name];
    return value ? [[column.column, valuesOf(column, value, false)] as const] : [];
  });
  return new Map(known);
}

function keysOfComparisons(column: ColumnView, input: Input): ArgumentKeys {
  const compared = input.fields().flatMap(([name, operand]): ArgumentKeys[] => {
    const comparison = column.comparisons.get(name);
    const isKey = comparison && isEquality(comparison);
    if (!isKey) return [];
    const isList = comparison.operand === 'list';
    return [new Map([[column.column, valuesOf(column, operand, isList)]])];
  });
  return keysOfAll(compared);
}

/** Returns whether the comparison is `=` with a value, or `= any` with a list. */
function isEquality({ schema, symbol, operand, quantifier }: Comparison): boolean {
  if (schema !== 'pg_catalog' || symbol !== '=') return false;
  return operand === 'value'
    ? quantifier === undefined
    : operand === 'list' && quantifier === 'any';
}

function valuesOf({ scalar }: ColumnView, value: Input, isList: boolean): KeyValues<Variables> {
  const encode = isList ? listOf(encoderOf(scalar)) : encoderOf(scalar);
  const read = value.reader(encode);
  return (variables) => {
    const texts = textsIn(read(variables, []))?.map((text) => canonicalTexts(text, scalar.type));
    return texts?.every((one) => one !== undefined) ? texts.flat() : undefined;
  };
}

/** Returns the texts of a value or a list, without nulls, which equal nothing. */
function textsIn(value: BoundValue): readonly string[] | undefined {
  if (value === null) return [];
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return undefined;
  const lists = value.map(textsIn);
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}
