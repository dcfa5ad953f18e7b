import type { ColumnView } from './column-view.ts';
import { isBuiltin, type Scalar } from './scalar.ts';
import type { UpdateView } from './table-view.ts';

export type UpdateOperatorName =
  | '_set'
  | '_inc'
  | '_append'
  | '_prepend'
  | '_delete_key'
  | '_delete_elem'
  | '_delete_at_path';

/** A way to change columns, such as `_set` or `_inc`. */
export interface UpdateOperator {
  readonly name: UpdateOperatorName;
  /** Suffix after the name of the table in the name of the argument's type. */
  readonly typeSuffix: string;
  readonly description: string;
  /** Type of the right-hand side; `column` is the type of the column itself. */
  readonly operand: 'column' | 'String' | 'Int' | 'path';
  /** Columns that the operator can change, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
}

const NUMBERS: ReadonlySet<string> = new Set([
  'int2',
  'int4',
  'int8',
  'float4',
  'float8',
  'numeric',
  'money',
]);

const isNumber = ({ type }: Scalar) => isBuiltin(type) && NUMBERS.has(type.name);
const isJsonb = ({ type }: Scalar) => isBuiltin(type) && type.name === 'jsonb';

type Template = Omit<UpdateOperator, 'columns'> & { readonly suits: (scalar: Scalar) => boolean };

const SET: Template = {
  name: '_set',
  typeSuffix: '_set_input',
  description: 'sets columns to new values',
  operand: 'column',
  suits: () => true,
};

/** Operators that read the old value of the column. */
const CHANGES: readonly Template[] = [
  {
    name: '_inc',
    typeSuffix: '_inc_input',
    description: 'adds to numbers',
    operand: 'column',
    suits: isNumber,
  },
  {
    name: '_append',
    typeSuffix: '_append_input',
    description: 'appends to JSON values',
    operand: 'column',
    suits: isJsonb,
  },
  {
    name: '_prepend',
    typeSuffix: '_prepend_input',
    description: 'prepends to JSON values',
    operand: 'column',
    suits: isJsonb,
  },
  {
    name: '_delete_key',
    typeSuffix: '_delete_key_input',
    description: 'removes a key from JSON objects, or a string from JSON arrays',
    operand: 'String',
    suits: isJsonb,
  },
  {
    name: '_delete_elem',
    typeSuffix: '_delete_elem_input',
    description:
      'removes the element with this index from JSON arrays; negative indexes count from the end',
    operand: 'Int',
    suits: isJsonb,
  },
  {
    name: '_delete_at_path',
    typeSuffix: '_delete_at_path_input',
    description: 'removes the value at a path of keys and indexes from JSON values',
    operand: 'path',
    suits: isJsonb,
  },
];

/** Returns the operators that an update of the table offers. Omits operators without a suitable column. */
export function updateOperators(
  { columns }: UpdateView,
  readable: ReadonlyMap<string, ColumnView>,
): readonly UpdateOperator[] {
  const own = [...columns.values()];
  // `_inc` and similar operators need columns that the role may read: Postgres requires that right when a new value
  // depends on the old value.
  const read = own.filter(({ column }) => readable.has(column));
  const suiting = ({ suits, ...operator }: Template, among: readonly ColumnView[]) => ({
    ...operator,
    columns: new Map(
      among
        .filter(({ scalar }) => !(scalar.isArray && operator.name !== '_set') && suits(scalar))
        .map((column) => [column.name, column]),
    ),
  });
  const all = [suiting(SET, own), ...CHANGES.map((template) => suiting(template, read))];
  return all.filter((operator) => operator.columns.size > 0);
}
