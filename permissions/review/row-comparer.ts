import { findBeyond, isProvedWithin } from '../diff/rows/compare-rules.ts';
import { describeWitness } from '../diff/rows/describe-witness.ts';
import type { Witness } from '../diff/rows/row-comparison.ts';
import { everyRow, passesEveryRow } from '../expressions/combine.ts';
import { conjuncts, guardedItems } from '../expressions/visit.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { Model } from '../types/model.ts';
import type { TableKey } from '../types/names.ts';
import { conditionKey, conditionText } from './condition-key.ts';

/**
 * Compares conditions of one model. Equal comparisons are made once, because many roles and tables have the same
 * conditions.
 */
export class RowComparer {
  readonly #model: Model;
  readonly #beyond = new Map<string, Witness | undefined>();
  readonly #all = new Map<string, boolean>();
  readonly #texts = new Map<BoolExp, string>();

  constructor(model: Model) {
    this.#model = model;
  }

  /**
   * Returns an example of rows that pass `narrow` and fail `wide`, in words. Undefined: there are none, or the
   * comparison cannot decide.
   */
  beyond(table: TableKey, narrow: BoolExp, wide: BoolExp): string | undefined {
    if (this.#repeats(table, narrow, wide)) return undefined;
    const rule = (expression: BoolExp) => ({ table, expression });
    const found = remembered(this.#beyond, conditionKey([narrow, wide], table, this.#model), () =>
      findBeyond(rule(narrow), rule(wide), this.#model),
    );
    return found && describeWitness({ ...found, table });
  }

  /** Returns whether a condition certainly lets every row through. */
  passesAll(table: TableKey, condition: BoolExp): boolean {
    if (!mayPassAll(condition)) return false;
    const rule = (expression: BoolExp) => ({ table, expression });
    return remembered(this.#all, conditionKey([condition], table, this.#model), () =>
      isProvedWithin(rule(everyRow), rule(condition), this.#model),
    );
  }

  /** Returns whether `narrow` has every condition of `wide`. Most pairs of rules are decided in this way. */
  #repeats(table: TableKey, narrow: BoolExp, wide: BoolExp): boolean {
    if (narrow === wide || passesEveryRow(wide)) return true;
    if (guardedItems(wide).some((one) => this.#repeats(table, narrow, one))) return true;
    const textOf = (part: BoolExp) =>
      remembered(this.#texts, part, () => conditionText(part, table));
    const given = new Set(conjuncts(narrow).map(textOf));
    return conjuncts(wide).every((required) => given.has(textOf(required)));
  }
}

function remembered<K, T>(known: Map<K, T>, key: K, find: () => T): T {
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found as T;
  const made = find();
  known.set(key, made);
  return made;
}

/** Returns false for conditions that some row can always fail, without a proof. */
function mayPassAll(condition: BoolExp): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.items.every(mayPassAll);
    case 'or':
    case 'not':
    case 'guarded':
      return true;
    case 'isNull':
      return condition.negated;
    case 'related':
      return mayPassAll(condition.item);
    case 'compare':
    case 'exists':
    case 'computedRows':
      return false;
  }
}
