import { isLike } from '../../evaluate/patterns.ts';
import { anyRelation, equal, type Formula, type Rows } from './formula.ts';
import type { Knowledge } from './knowledge.ts';
import { type OrderFact, type Ordering, orderValues } from './possible-values.ts';

type Strict = Extract<Formula, { kind: 'strict' }>;

/** The truth values that a free condition can still have. */
export const isTrue = 1;
export const isFalse = 2;
export const isUnknown = 4;

/** The assumptions about rows and the request in one branch of a proof. */
export class Facts {
  #nulls = new Map<string, boolean>();
  #flags = new Map<string, boolean>();
  #free = new Map<string, number>();
  #strict = new Map<string, { readonly fact: Strict; readonly value: boolean }>();
  #orders: OrderFact[] = [];
  readonly rows: { readonly rows: Rows; readonly isSome: boolean }[] = [];

  constructor(from?: Facts, keepsRows = true) {
    if (!from) return;
    this.#nulls = new Map(from.#nulls);
    this.#flags = new Map(from.#flags);
    this.#free = new Map(from.#free);
    this.#strict = new Map(from.#strict);
    this.#orders = [...from.#orders];
    if (keepsRows) this.rows.push(...from.rows);
  }

  /** Each method that adds a fact returns whether the fact fits those before it. */
  addNull(subject: string, value: boolean): boolean {
    return addOnce(this.#nulls, subject, value);
  }

  addFlag(key: string, value: boolean): boolean {
    return addOnce(this.#flags, key, value);
  }

  addFree(key: string, truths: number): boolean {
    const left = (this.#free.get(key) ?? isTrue | isFalse | isUnknown) & truths;
    this.#free.set(key, left);
    return left !== 0;
  }

  addStrict(fact: Strict, value: boolean): boolean {
    const old = this.#strict.get(fact.key);
    this.#strict.set(fact.key, { fact, value });
    return old === undefined || old.value === value;
  }

  addOrder(fact: OrderFact): boolean {
    this.#orders.push(fact);
    return fact.relations !== 0;
  }

  addRows(rows: Rows, isSome: boolean): boolean {
    this.rows.push({ rows, isSome });
    return true;
  }

  /** Returns false if no values fit the facts. True proves nothing. */
  haveValues(knowledge: Knowledge): boolean {
    const orderings = orderValues(this.#orders);
    return orderings !== undefined && this.#fitPatterns(orderings, knowledge);
  }

  #fitPatterns(orderings: readonly Ordering[], knowledge: Knowledge): boolean {
    const likes = [...this.#strict.values()].flatMap(({ fact: { like }, value }) =>
      like ? [{ ...like, value }] : [],
    );
    return likes.every((one) => {
      const text = constantOf(one.text.key, one.text.family, orderings);
      const outcome = text === undefined ? undefined : isLike(text, one.pattern, one.blindToCase);
      if (outcome !== undefined && outcome !== one.value) return false;
      return one.value || !isCertainlyLike(one, likes, knowledge);
    });
  }
}

type Like = NonNullable<Strict['like']> & { readonly value: boolean };

/** Returns whether a text matches a pattern because it matches a narrower one. Every text matches `%`. */
function isCertainlyLike(one: Like, likes: readonly Like[], knowledge: Knowledge): boolean {
  const narrower = likes.filter(
    ({ text, value, blindToCase }) =>
      value && text.key === one.text.key && (one.blindToCase || !blindToCase),
  );
  return ['%', ...narrower.map(({ pattern }) => pattern)].some((pattern) =>
    knowledge.likeWithin(pattern, one.pattern),
  );
}

function constantOf(
  key: string,
  family: string,
  orderings: readonly Ordering[],
): string | undefined {
  const ordering = orderings.find(({ terms }) => terms[0]?.family === family);
  const row = ordering?.table[ordering.terms.findIndex((term) => term.key === key)];
  return ordering?.terms.find(
    ({ constant }, at) => constant !== undefined && (row?.[at] ?? anyRelation) === equal,
  )?.constant;
}

function addOnce(facts: Map<string, boolean>, key: string, value: boolean): boolean {
  const old = facts.get(key);
  facts.set(key, value);
  return old === undefined || old === value;
}
