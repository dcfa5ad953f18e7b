import type { BoolExp } from '../types/expressions.ts';
import { computedIn, rootColumns, variablesOf } from './dependencies.ts';
import { impliedRelationship } from './implied-relationship.ts';
import { conjuncts } from './visit.ts';

/** A condition on rows of another table. */
export type EntryCondition = Extract<BoolExp, { kind: 'exists' }>;

/**
 * Returns a condition that must hold before a filter can pass any row: some row of another table exists for the caller,
 * such as a membership. Of nested conditions it returns the innermost one, which is the cheapest to test. Undefined: no
 * condition of the filter depends on the caller alone.
 */
export function entryCondition(filter: BoolExp): EntryCondition | undefined {
  const found = conjuncts(filter).flatMap((part) => remoteCondition(part) ?? []);
  const [condition] = found.filter(dependsOnCaller);
  return condition && (entryCondition(condition.item) ?? condition);
}

function remoteCondition(part: BoolExp): EntryCondition | undefined {
  if (part.kind === 'related') {
    return { kind: 'exists', table: part.relationship.table, item: part.item };
  }
  if (part.kind !== 'exists') return undefined;
  return { ...part, item: impliedRelationship(part.table, part.item)?.item ?? part.item };
}

function dependsOnCaller(condition: EntryCondition): boolean {
  return (
    variablesOf([condition]).length > 0 &&
    rootColumns(condition).size === 0 &&
    computedIn(condition).length === 0
  );
}
