import { type Entry, type Operation, operations } from '../api/answers.ts';
import { extrasOf, verbs } from '../words/entry-words.ts';
import type { CellRules } from './rules.ts';

/** A role and its rules on one table. */
type Side = readonly [role: string, rules: CellRules];

/** How two roles differ in one operation, in words. */
export interface Difference {
  readonly operation: Operation;
  readonly words: readonly string[];
}

/** Compares the rules of two roles on one table. Equal operations are left out. */
export function differences([one, ofOne]: Side, [other, ofOther]: Side): readonly Difference[] {
  return operations.flatMap((operation) => {
    const [a, b] = [ofOne.get(operation), ofOther.get(operation)];
    const words = a && b ? entryDifferences([one, a], [other, b]) : onlyOne([one, a], [other, b]);
    return words.length > 0 ? [{ operation, words }] : [];
  });
}

type Has = readonly [role: string, entry: Entry | undefined];

function onlyOne(...sides: readonly Has[]): readonly string[] {
  return sides.flatMap(([role, entry]) =>
    entry ? [`only ${role} may ${verbs[entry.operation]}`] : [],
  );
}

type Named = readonly [role: string, entry: Entry];

function entryDifferences(one: Named, other: Named): readonly string[] {
  return [
    ...(one[1].rows === other[1].rows
      ? []
      : [one, other].map(([role, { rows }]) => `${role}: ${rows}`)),
    ...listDifferences(one, other, columnWords),
    ...listDifferences(one, other, extrasOf),
  ];
}

/** Names what only one of the two entries has. */
function listDifferences(
  one: Named,
  other: Named,
  wordsOf: (entry: Entry) => readonly string[],
): readonly string[] {
  const [ofOne, ofOther] = [wordsOf(one[1]), wordsOf(other[1])];
  const only = (role: string, own: readonly string[], others: readonly string[]) => {
    const found = own.filter((word) => !others.includes(word));
    return found.length > 0 ? [`only ${role}: ${found.join(', ')}`] : [];
  };
  return [...only(one[0], ofOne, ofOther), ...only(other[0], ofOther, ofOne)];
}

function columnWords({ columns }: Entry): readonly string[] {
  return columns.map(({ name, rows }) => (rows === undefined ? name : `${name} in ${rows}`));
}
