import { allOf, meaningOf } from '../../expressions/combine.ts';
import { conjuncts, guardedItems } from '../../expressions/visit.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Model } from '../../types/model.ts';
import { conditionWords } from './condition-words.ts';

type Versions<T> = { readonly before: T; readonly after: T };

/**
 * Returns the conditions that only one of two versions has, one line each, and the conditions that both have. A witness
 * is an example, and these lines say all that changed.
 */
export function changedConditions(
  { before, after }: Versions<BoolExp | undefined>,
  models: Versions<Pick<Model, 'headerPrefix' | 'tables'>>,
): readonly string[] {
  const merged = alternatives(before, after);
  if (merged)
    return [
      ...merged.gone.map(
        (one) => `no longer by: ${conditionWords(one, models.before.headerPrefix)}`,
      ),
      ...merged.added.map(
        (one) => `now also by: ${conditionWords(one, models.after.headerPrefix)}`,
      ),
    ];
  const { gone, added } = difference(partsOf(before), partsOf(after));
  const kept = partsOf(after).filter((one) => !added.includes(one));
  const old = (parts: readonly BoolExp[]) =>
    conditionWords(allOf(parts), models.before.headerPrefix);
  const now = (parts: readonly BoolExp[]) =>
    conditionWords(allOf(parts), models.after.headerPrefix);
  const changed =
    gone.length > 0 && added.length > 0
      ? [`condition before: ${old(gone)}`, `condition now: ${now(added)}`]
      : [
          ...gone.map((one) => `no longer required: ${old([one])}`),
          ...added.map((one) => `now required too: ${now([one])}`),
        ];
  const isPart = changed.length > 0 && kept.length > 0;
  return isPart ? [...changed, `unchanged: ${now(kept)}`] : changed;
}

/**
 * Returns the changed alternatives of a rule that a role inherits from several roles. Undefined if one version has no
 * alternatives: a rule that passed every row and now has alternatives became narrower, and "also" would mislead.
 */
function alternatives(before: BoolExp | undefined, after: BoolExp | undefined) {
  const [old = [], now = []] = [before, after].map((one) => (one ? guardedItems(one) : []));
  return old.length > 0 && now.length > 0 ? difference(old, now) : undefined;
}

function partsOf(expression: BoolExp | undefined): readonly BoolExp[] {
  return expression ? conjuncts(expression) : [];
}

function difference(before: readonly BoolExp[], after: readonly BoolExp[]) {
  const [old, now] = [before, after].map((items) => new Set(items.map((one) => meaningOf(one))));
  return {
    gone: before.filter((one) => !now?.has(meaningOf(one))),
    added: after.filter((one) => !old?.has(meaningOf(one))),
  };
}
