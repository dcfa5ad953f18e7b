import type { GraphQLSchema } from 'graphql';
import { comparedColumns } from './conditions.ts';
import { wordOf } from './markers.ts';
import type { Operation } from './probe.ts';
import type { Root } from './shape.ts';

const word = wordOf(0);

/** Values that fit few types or none: wrong kinds, overflows, values that Postgres cannot cast, and bad patterns. */
const values: readonly unknown[] = [
  word,
  `'; select ${word} --`,
  `{${word}`,
  `(${word}`,
  `${word}\\`,
  '\u0000',
  '',
  '99999-99-99',
  '5e47135e',
  true,
  -1,
  1.5,
  1e20,
  1e300,
  null,
  [],
  [null, [1]],
  { a: { b: 1 } },
];

/**
 * Returns operations with wrong values for each operator on one column of each type, in the document and as variables.
 * The first operator gets several values and each other operator gets one. Each turn uses other values. With as many
 * turns as values, all values are used.
 */
export function wrongOperands(
  schema: GraphQLSchema,
  roots: readonly Root[],
  turn: number,
): readonly Operation[] {
  const done = new Set<string>();
  const lists = roots.filter(({ kind }) => kind === 'list');
  return lists.flatMap(({ name: root, table }) =>
    comparedColumns(schema, table).flatMap(({ name, operators, typeName }) => {
      if (done.has(typeName)) return [];
      done.add(typeName);
      return operators.flatMap(({ name: operator, type }, i) =>
        some(i === 0 ? several : 1, i + done.size + turn).flatMap((value) =>
          bothWays(
            value,
            String(type),
            (given) => `${root}(where: {${name}: {${operator}: ${given}}}) { __typename }`,
          ),
        ),
      );
    }),
  );
}

/** Returns operations with wrong values for each argument of each root field. Each turn uses other values. */
export function wrongArguments(roots: readonly Root[], turn: number): readonly Operation[] {
  return roots.flatMap(({ name, kind, field }, at) => {
    const below = kind === 'aggregate' ? 'aggregate { count }' : '__typename';
    return field.args.flatMap(({ name: argument, type }, i) =>
      some(at + i === 0 ? several : 1, at + i + turn).flatMap((value) =>
        bothWays(value, String(type), (given) => `${name}(${argument}: ${given}) { ${below} }`),
      ),
    );
  });
}

const several = 6;

/** Returns a number of values that are far apart in the list. */
function some(count: number, start: number): readonly unknown[] {
  const step = values.length / several;
  return Array.from({ length: count }, (_, i) => values[(start + i * step) % values.length]);
}

function bothWays(
  value: unknown,
  type: string,
  field: (given: string) => string,
): readonly Operation[] {
  return [
    { query: `{ ${field(inDocument(value))} }` },
    { query: `query ($v: ${type}) { ${field('$v')} }`, variables: { v: value } },
  ];
}

function inDocument(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inDocument).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}: ${inDocument(item)}`)
    .join(', ')}}`;
}
