import { Facts, isFalse, isTrue, isUnknown } from './facts.ts';
import type { Formula, Goal, Rows, Want } from './formula.ts';
import type { Knowledge } from './knowledge.ts';

/** The number of branches that a proof may still try. */
export interface Budget {
  left: number;
}

/** The proof needs more branches than its budget has. */
export class BudgetSpent extends Error {}

/** The inputs of a proof that stay the same in all its branches. */
interface Proof {
  readonly knowledge: Knowledge;
  readonly budget: Budget;
  /** The number of related rows that lead to the row of this branch. */
  readonly depth: number;
}

/** Returns true only if no row, no related rows and no variables meet all goals. False proves nothing. */
export function isImpossible(
  goals: readonly Goal[],
  knowledge: Knowledge,
  budget: Budget,
): boolean {
  return isRefuted(goals, new Facts(), [], { knowledge, budget, depth: 0 });
}

/** Goals of which at least one alternative must be met. */
type Choice = readonly Goal[];

/** Tries every combination of alternatives, and leaves a branch as soon as its facts do not fit together. */
function isRefuted(
  goals: readonly Goal[],
  facts: Facts,
  choices: readonly Choice[],
  proof: Proof,
): boolean {
  const { budget, knowledge } = proof;
  if (budget.left <= 0) throw new BudgetSpent('the proof has too many branches');
  budget.left -= 1;
  const open = [...choices];
  if (!assume(goals, facts, open, knowledge) || !facts.haveValues(knowledge)) return true;
  const choice = open.toSorted((a, b) => a.length - b.length)[0];
  if (!choice) return facts.rows.length > 0 && isRefutedByRows(facts, proof);
  const rest = open.filter((one) => one !== choice);
  return choice.every((goal) => isRefuted([goal], new Facts(facts), rest, proof));
}

/** Adds the facts that follow from the goals, and the choices that remain. Returns false if two facts exclude each other. */
function assume(
  goals: readonly Goal[],
  facts: Facts,
  open: Choice[],
  knowledge: Knowledge,
): boolean {
  const pending = [...goals];
  for (let goal = pending.pop(); goal; goal = pending.pop()) {
    const step = stepOf(goal, knowledge);
    if (step.kind === 'all') pending.push(...step.goals);
    else if (step.kind === 'fact') {
      if (!step.add(facts)) return false;
    } else {
      const [only] = step.goals;
      if (!only) return false;
      if (step.goals.length === 1) pending.push(only);
      else open.push(step.goals);
    }
  }
  return true;
}

type Step =
  | { readonly kind: 'all' | 'one'; readonly goals: readonly Goal[] }
  | { readonly kind: 'fact'; readonly add: (facts: Facts) => boolean };

const opposite: Readonly<Record<Want, Want>> = { T: 'F', F: 'T', NT: 'NF', NF: 'NT' };

/** Splits a goal into smaller ones, or turns it into a fact. */
function stepOf({ formula, want }: Goal, knowledge: Knowledge): Step {
  const isPositive = want === 'T' || want === 'NF';
  switch (formula.kind) {
    case 'and':
    case 'or': {
      const kind = (formula.kind === 'and') === isPositive ? 'all' : 'one';
      return { kind, goals: formula.items.map((item) => ({ formula: item, want })) };
    }
    case 'not':
      return { kind: 'all', goals: [{ formula: formula.item, want: opposite[want] }] };
    case 'unknown':
      return { kind: 'fact', add: () => want === 'NT' || want === 'NF' };
    case 'isNull':
      return { kind: 'fact', add: (facts) => facts.addNull(formula.subject, isPositive) };
    case 'flag':
      return { kind: 'fact', add: (facts) => facts.addFlag(formula.key, isPositive) };
    case 'free':
      return { kind: 'fact', add: (facts) => facts.addFree(formula.key, truthsOf[want]) };
    case 'rows':
      return { kind: 'fact', add: (facts) => facts.addRows(formula.rows, isPositive) };
    case 'order':
    case 'strict':
      return stepOfComparison(formula, want, knowledge);
  }
}

const truthsOf: Readonly<Record<Want, number>> = {
  T: isTrue,
  F: isFalse,
  NT: isFalse | isUnknown,
  NF: isTrue | isUnknown,
};

/** A comparison is unknown if a subject is null, so "not true" means false or null. */
function stepOfComparison(
  formula: Extract<Formula, { kind: 'order' | 'strict' }>,
  want: Want,
  knowledge: Knowledge,
): Step {
  const { subjects } = formula;
  const value = want === 'T' || want === 'NF';
  if (subjects.length > 0 && (want === 'NT' || want === 'NF')) {
    const nulls = subjects.map(
      (subject): Goal => ({ formula: { kind: 'isNull', subject }, want: 'T' }),
    );
    return { kind: 'one', goals: [{ formula, want: value ? 'T' : 'F' }, ...nulls] };
  }
  const add = (facts: Facts) =>
    subjects.every((subject) => facts.addNull(subject, false)) &&
    (formula.kind === 'strict'
      ? facts.addStrict(formula, value)
      : facts.addOrder({
          left: formula.left,
          right: formula.right,
          relations: value ? formula.relations : knowledge.opposite(formula.relations),
        }));
  return { kind: 'fact', add };
}

/**
 * Returns true if the rows that must exist cannot: a row meets its own condition only if it also meets a condition that
 * no row of its table may meet.
 */
function isRefutedByRows(facts: Facts, { knowledge, budget, depth }: Proof): boolean {
  const name = `r${depth + 1}`;
  const none = facts.rows.flatMap(({ rows, isSome }) => (isSome ? [] : [rows]));
  const outer = new Facts(facts, false);
  return requiredRows(facts).some(({ source, goals }) => {
    const excluded = none
      .filter((rows) => rows.source === source)
      .map((rows): Goal => ({ formula: rows.condition(name), want: 'NT' }));
    const inner = { knowledge, budget, depth: depth + 1 };
    return isRefuted([...goals(name), ...excluded], new Facts(outer), [], inner);
  });
}

/** A row that must exist, with all conditions that it must meet. */
interface RequiredRow {
  readonly source: string;
  readonly goals: (name: string) => readonly Goal[];
}

function requiredRows({ rows }: Facts): readonly RequiredRow[] {
  const certain = rows.filter((one) => !one.isSome && one.rows.isCertain).map((one) => one.rows);
  const some = rows.flatMap((one) => (one.isSome ? [one.rows] : []));
  const groups = Map.groupBy([...some, ...certain], (one) => one.single ?? one);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ source: first.source, goals: (name) => goalsOf(group, certain, name) }] : [];
  });
}

function goalsOf(group: readonly Rows[], certain: readonly Rows[], name: string): readonly Goal[] {
  return group.map((one) => ({
    formula: certain.includes(one) ? one.link(name) : one.condition(name),
    want: 'T',
  }));
}
