import fc from 'fast-check';
import {
  columnComparisons,
  comparisons,
  containments,
  familyOf,
  keyLists,
  listings,
  literalPool,
  matches,
  patternPools,
  scalarPools,
} from './pools.ts';
import type { Column, ColumnTest, ColumnType, Operand, Scalar, Table } from './vocabulary.ts';

type AnyOperand = fc.Arbitrary<Operand>;

const literal = (pool: readonly Operand[]): AnyOperand => fc.constantFrom(...pool);

/** `kind` is the prefix of a variable's name and determines its values. */
const variable = (kind: string): AnyOperand =>
  fc.constantFrom({ variable: `${kind}_a` }, { variable: `${kind}_b` });

const tests = (operators: readonly string[], operand: AnyOperand): fc.Arbitrary<ColumnTest> =>
  fc.record({ operator: fc.constantFrom(...operators), operand });

const values = (pool: readonly (Operand & { value: unknown })['value'][]) =>
  pool.map((value) => ({ value }) as Operand);

/** A variable of a list type holds a list of the element type. */
const kindOf = (type: ColumnType) => type.replace('[]', '_list');

/** A variable that is compared with a varchar column contains a text. */
const listKindOf = (type: ColumnType) => `${type === 'varchar' ? 'text' : type}_list`;

/** A list in a rule, with literals and variables as items. */
function spelledList(type: ColumnType): AnyOperand {
  const pool = literalPool(type) as readonly Scalar[];
  const item = fc.oneof(
    { arbitrary: fc.constantFrom(...pool.map((value) => ({ value }))), weight: 2 },
    { arbitrary: variable(kindOf(type)) as fc.Arbitrary<{ variable: string }>, weight: 1 },
  );
  return fc.array(item, { maxLength: 3 }).map((items) => ({ items }));
}

function comparing(type: ColumnType): fc.Arbitrary<ColumnTest> {
  const operand = fc.oneof(literal(values(literalPool(type))), variable(kindOf(type)));
  return tests(comparisons, operand);
}

function listing(type: ColumnType): readonly fc.Arbitrary<ColumnTest>[] {
  if (!(type in scalarPools)) return [];
  return [tests(listings, fc.oneof(spelledList(type), variable(listKindOf(type))))];
}

function matching(type: ColumnType): readonly fc.Arbitrary<ColumnTest>[] {
  if (!['text', 'varchar', 'citext'].includes(type)) return [];
  const families = Object.entries(matches).map(([family, operators]) => {
    const pool = literal(values(patternPools[family] ?? []));
    const arbitrary = tests(operators, fc.oneof(pool, variable('pattern')));
    return { arbitrary, weight: operators.length };
  });
  return [fc.oneof(...families)];
}

function containing(type: ColumnType): readonly fc.Arbitrary<ColumnTest>[] {
  if (!['jsonb', 'text[]', 'uuid[]'].includes(type)) return [];
  const operand = fc.oneof(literal(values(literalPool(type))), variable(kindOf(type)));
  return [tests(containments, operand)];
}

function keyed(type: ColumnType): readonly fc.Arbitrary<ColumnTest>[] {
  if (type !== 'jsonb') return [];
  const key = fc.oneof(literal(values(['a', 'b', 'ab'])), variable('text'));
  const keys = fc.oneof(
    literal(values([[], ['a'], ['a', 'b'], ['ab', 'a']])),
    variable('text_list'),
  );
  return [tests(['_has_key'], key), tests(keyLists, keys)];
}

const nullness = tests(
  ['_is_null'],
  fc.boolean().map((flag) => ({ flag })),
);

/** Columns that a column can be compared with: columns of its own row, or of the rule's row. */
function comparingColumns(column: Column, table: Table, isRoot: boolean) {
  const pool = table.columns
    .filter(({ type }) => familyOf(type) === familyOf(column.type))
    .map(({ name }) => ({ column: name, root: isRoot }));
  return pool.length === 0 ? [] : [tests(columnComparisons, literal(pool))];
}

/** Tests of one column with every operator of its type. `far` is true within a relationship or _exists. */
export function anyTest(
  column: Column,
  table: Table,
  root: Table,
  far: boolean,
): fc.Arbitrary<ColumnTest> {
  const { type } = column;
  const own = comparingColumns(column, table, false);
  const roots = comparingColumns(column, root, true);
  return fc.oneof(
    { arbitrary: comparing(type), weight: 3 },
    { arbitrary: nullness, weight: 1 },
    ...weighted(2, listing(type)),
    ...weighted(8, matching(type)),
    ...weighted(2, containing(type)),
    ...weighted(2, keyed(type)),
    ...weighted(2, own),
    ...weighted(far ? 4 : 2, roots),
  );
}

const weighted = <T>(weight: number, arbitraries: readonly fc.Arbitrary<T>[]) =>
  arbitraries.map((arbitrary) => ({ arbitrary, weight }));
