import { type ConstValueNode, Kind, type ListValueNode, parseValue } from 'postgraphile/graphql';
import { describe, expect, test } from 'vitest';
import { inputOf, withoutRepeats } from '../../../server/graphql/compile/input/input.ts';
import { repeatsIn } from '../../../server/graphql/compile/input/repeated-items.ts';
import { TrackedVariables } from '../../../server/graphql/compile/input/tracked-variables.ts';

describe('equal items of one list in a document', () => {
  const countOf = (list: string) =>
    withoutRepeats(inputOf(parseValue(list), new TrackedVariables(new Map())).items()).length;

  test.each([
    ['[{a: 1}, {a: 1}]', 1],
    ['[{a: 1}, {a: "1"}]', 2],
    ['[{a: [1, 2]}, {a: [12]}]', 2],
    ['[{a: {b: 1}}, {a: [1]}, {a: "{b:1}"}]', 3],
    ['[{a: $x, b: [$y]}, {a: $x, b: [$y]}, {a: $y, b: [$x]}]', 2],
    ['[$x, {a: 1}, $x, $y]', 3],
  ])('are reduced to one item by withoutRepeats: %s', (list, count) => {
    expect(countOf(list)).toBe(count);
  });

  test('are read equally often at any depth of nesting, so the effort does not grow with depth', () => {
    expect(readsOf(40)).toBe(readsOf(1));
  });
});

test('repeatsIn finds an item of a list in a JSON variable only if an equal item precedes it in the same list', () => {
  expect(repeatsIn([{ meta: [false, [['a', 2]]] }, { meta: { a: 'v' } }])).toBeNull();
  expect(repeatsIn([{ meta: { a: 'v' } }, { meta: { a: 'v' } }])?.at).toEqual([1]);
});

/** Counts the reads of a value inside nested lists, each of which is searched for repeated values. */
function readsOf(depth: number): number {
  let reads = 0;
  const leaf = {
    kind: Kind.INT,
    get value() {
      reads += 1;
      return '1';
    },
  } as const;
  let node: ConstValueNode = leaf;
  for (let level = 0; level < depth; level += 1) {
    node = { kind: Kind.LIST, values: [node, { kind: Kind.NULL }] } satisfies ListValueNode;
  }
  let items = inputOf(node, new TrackedVariables(new Map())).items();
  for (let level = 0; level < depth; level += 1) {
    items = withoutRepeats(items)[0]?.items() ?? [];
  }
  return reads;
}
