import { type ColumnType, type Json, moods, type Scalar, type Value } from './vocabulary.ts';

const uuid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

const documents: readonly Json[] = [
  {},
  { a: 1 },
  { b: [1, 2], a: 1 },
  { a: null },
  { ab: 1, b: { a: 1 } },
  [],
  [1],
  [2, 1],
  ['a', ['a', 'b']],
  [{ a: 1 }],
  'a',
  1,
  1.5,
  true,
  null,
];

/** Few values of each type, so that rows often match rules. Some equal values have several spellings. */
export const scalarPools: Readonly<Record<string, readonly Scalar[]>> = {
  uuid: [uuid(1), uuid(2), uuid(3)],
  text: ['a', 'B', 'ab', 'A', 'Ab', 'a%', 'żb', '{}', ''],
  varchar: ['a', 'B', 'ab', 'A', 'Ab', 'a%', ''],
  citext: ['a', 'A', 'b', 'aB', 'AB', ''],
  int4: ['1', '2', '3', '-1', '0'],
  int8: ['1', '2', '-1', '9007199254740992', '9007199254740993'],
  numeric: ['1', '1.0', '1.50', '-2', '12345678901234567890.5'],
  bool: ['true', 'false'],
  date: ['2024-02-29', '2025-01-01', '2025-12-31'],
  timestamptz: [
    '2025-01-01T00:00:00Z',
    '2025-01-01T01:00:00+01:00',
    '2025-01-01T00:00:00.001Z',
    'infinity',
  ],
  mood: moods,
  jsonb: documents.map((json) => ({ json })),
};

const lists: Readonly<Record<'text[]' | 'uuid[]', readonly Value[]>> = {
  'text[]': [[], ['a'], ['a', 'b'], ['b', 'a'], ['a', null], ['A', 'a%', '{}']],
  'uuid[]': [[], [uuid(1)], [uuid(1), uuid(2)], [uuid(2), uuid(1)], [null, uuid(1)]],
};

export const columnTypes = [
  ...Object.keys(scalarPools),
  ...Object.keys(lists),
] as readonly ColumnType[];

/** Values for columns of a type. */
export function cellPool(type: ColumnType): readonly Value[] {
  return type === 'text[]' || type === 'uuid[]' ? lists[type] : (scalarPools[type] ?? []);
}

/** Literals of a type for rules: neither null nor a JSON null. */
export function literalPool(type: ColumnType): readonly Value[] {
  return cellPool(type).filter((value) => {
    if (Array.isArray(value)) return !value.includes(null);
    return typeof value === 'string' || (value as { json: Json }).json !== null;
  });
}

const everywhere = ['a', 'a%', '_b', 'ab', '(a|b)', 'a+', 'A', 'A%', '_'];

/** Patterns with the same meaning in Postgres and in the evaluator. */
export const patternPools: Readonly<Record<string, readonly string[]>> = {
  like: [...everywhere, '%b', 'a\\%', '%\\%', '__', '\\a%', '%', ''],
  regex: [...everywhere, '^a', 'b$', 'a.', '^(a|b)+$', '[ab]b', '^$', '^a?b', '^.$', ''],
  similar: [...everywhere, '(a|b)+', 'a|ab', '[ab]b', 'a\\%', 'a.', '^a', 'a%|b', ''],
  /** Values of session variables, which are independent of their use. */
  any: everywhere,
};

/** The operators of a column type, by the kind of their right-hand side. */
export const comparisons = ['_eq', '_neq', '_gt', '_gte', '_lt', '_lte'];
export const listings = ['_in', '_nin'];
export const columnComparisons = ['_ceq', '_cneq', '_cgt', '_cgte', '_clt', '_clte'];
export const containments = ['_contains', '_contained_in'];
export const keyLists = ['_has_keys_any', '_has_keys_all'];
export const matches: Readonly<Record<'like' | 'regex' | 'similar', readonly string[]>> = {
  like: ['_like', '_nlike', '_ilike', '_nilike'],
  regex: ['_regex', '_nregex', '_iregex', '_niregex'],
  similar: ['_similar', '_nsimilar'],
};

/** Types whose columns can be compared with each other. */
export function familyOf(type: ColumnType): string {
  return { int8: 'int4', varchar: 'text' }[type as string] ?? type;
}
