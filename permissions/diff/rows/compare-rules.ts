import { meaningOf } from '../../expressions/combine.ts';
import type { Model } from '../../types/model.ts';
import type { TableKey, TypeName } from '../../types/names.ts';
import type { Formula } from './prove/formula.ts';
import { never } from './prove/formula.ts';
import { type Knowledge, makeKnowledge } from './prove/knowledge.ts';
import { BudgetSpent, isImpossible } from './prove/refute.ts';
import { ruleFormula } from './prove/translate.ts';
import type { RowComparison, RowVerdict, Witness } from './row-comparison.ts';
import type { RowRule } from './row-rule.ts';
import { findWitness } from './search/find-witness.ts';
import type { Pair, SearchScope } from './search/found.ts';
import { Random } from './search/random.ts';
import { ValuePools } from './search/value-pools.ts';
import { type Survey, surveyRules } from './survey.ts';
import { makeWitness } from './words/make-witness.ts';

export type { RowRule } from './row-rule.ts';

/** The models in which two rules were resolved. */
export interface Models {
  readonly before: Model;
  readonly after: Model;
}

/** Limits of one comparison, in steps and never in time, so that the answer is always the same. */
const maxBranches = 20_000;
const maxTries = 400;
const seed = 20_260_419;

/**
 * Compares two row rules. The answer is sound: it is never `same` or `narrower` if the second rule lets a row through
 * that the first one refuses. Soundness assumes that variables hold text that can be read as the types in which rules
 * read them, and that functions of computed fields return the same for the same row.
 */
export function compareRules(before: RowRule, after: RowRule, models: Models): RowComparison {
  return compareKnowing(before, after, models, makeKnowledge(models));
}

/** Compares two row rules by given facts. Only tests pass other facts than those of the models. */
export function compareKnowing(
  before: RowRule,
  after: RowRule,
  models: Models,
  knowledge: Knowledge,
): RowComparison {
  if (before.table !== after.table) return undecided('the rules are about different tables');
  if (meaningOf([before.expression]) === meaningOf([after.expression])) return { verdict: 'same' };
  const survey = surveyRules([before, after], (table, column) => columnType(models, table, column));
  const changed = changedColumn(survey, models);
  if (changed !== undefined) return undecided(changed);
  const comparison: Comparison = { models, knowledge, survey };
  const gained = difference({ shows: after, hides: before }, 'after', comparison);
  const lost = difference({ shows: before, hides: after }, 'before', comparison);
  return combine(gained, lost, [...survey.unmodelled, ...collatedColumns(survey, knowledge)]);
}

/** Returns whether it is proved that every row that the first rule of a model lets through passes the second one. */
export function isProvedWithin(narrow: RowRule, wide: RowRule, model: Model): boolean {
  const models = { before: model, after: model };
  const pair = { shows: narrow, hides: wide };
  return prove(pair, 'after', { models, knowledge: makeKnowledge(models) }) === 'proved';
}

/** The number of worlds that `findBeyond` tries. Many comparisons of one model must stay cheap. */
const maxTriesWithin = 60;

/**
 * Returns a row that the first rule of a model lets through and the second one refuses, in a session with all variables
 * of both. Undefined: there is none, or none was found.
 */
export function findBeyond(narrow: RowRule, wide: RowRule, model: Model): Witness | undefined {
  if (isProvedWithin(narrow, wide, model)) return undefined;
  const models = { before: model, after: model };
  const knowledge = makeKnowledge(models);
  const survey = surveyRules([narrow, wide], (table, column) => columnType(models, table, column));
  const scope: SearchScope = {
    ...{ tables: model.tables, knowledge, survey, needsVariables: true },
    ...{ pools: new ValuePools(survey), random: new Random(seed) },
  };
  const pair = { shows: narrow, hides: wide };
  const found = findWitness(pair, scope, maxTriesWithin);
  return found && makeWitness(found, pair, scope, model.headerPrefix);
}

/** Names the columns whose collation finds different texts equal, as things that only Postgres can evaluate. */
function collatedColumns({ columns }: Survey, knowledge: Knowledge): readonly string[] {
  return [...columns].flatMap(([table, names]) =>
    [...names.keys()]
      .filter((name) => knowledge.findsTextsEqual(table, name))
      .map((name) => `the collation of ${name}`),
  );
}

function undecided(reason: string): RowComparison {
  return { verdict: 'undecided', reason };
}

interface Comparison {
  readonly models: Models;
  readonly knowledge: Knowledge;
  readonly survey: Survey;
}

function collationIn({ tables }: Model, table: TableKey, column: string): string | undefined {
  return tables.get(table)?.columns.get(column)?.collation;
}

function columnType({ before, after }: Models, table: TableKey, column: string) {
  const of = (model: Model) => model.tables.get(table)?.columns.get(column)?.type;
  return of(after) ?? of(before);
}

/** Returns why rows of the two databases cannot be compared: a column that only one of them has, or of another type. */
function changedColumn({ columns }: Survey, { before, after }: Models): string | undefined {
  for (const [table, names] of columns)
    for (const name of names.keys()) {
      const [old, now] = [before, after].map(
        (model) => model.tables.get(table)?.columns.get(name)?.type,
      );
      if (!old) return `the column ${name} of ${table} exists only in the new version`;
      if (!now) return `the column ${name} of ${table} exists only in the old version`;
      if (typeText(old) !== typeText(now))
        return `the column ${name} of ${table} has another type in the new version`;
      if (collationIn(before, table, name) !== collationIn(after, table, name))
        return `the column ${name} of ${table} has another collation in the new version`;
    }
  return undefined;
}

function typeText(type: TypeName): string {
  return JSON.stringify(type);
}

/** Whether one rule lets a row through that the other refuses. */
type Difference =
  | { readonly kind: 'none' }
  | { readonly kind: 'some'; readonly witness: Witness }
  | { readonly kind: 'open'; readonly isSpent: boolean };

function difference(pair: Pair, side: keyof Models, comparison: Comparison): Difference {
  const proof = prove(pair, side, comparison);
  if (proof === 'proved') return { kind: 'none' };
  const { models, knowledge, survey } = comparison;
  const scope: SearchScope = {
    ...{ tables: models[side].tables, knowledge, survey },
    ...{ pools: new ValuePools(survey), random: new Random(seed) },
  };
  const found = findWitness(pair, scope, maxTries);
  if (found)
    return { kind: 'some', witness: makeWitness(found, pair, scope, models[side].headerPrefix) };
  return { kind: 'open', isSpent: proof === 'spent' };
}

/** Tries to prove that every row that one rule lets through passes the other. */
function prove(
  { shows, hides }: Pair,
  side: keyof Models,
  { models, knowledge }: Pick<Comparison, 'models' | 'knowledge'>,
): 'proved' | 'open' | 'spent' {
  const other = side === 'after' ? models.before : models.after;
  const shown = formulaOf(shows, models[side], knowledge);
  const hidden = formulaOf(hides, other, knowledge);
  try {
    const goals = [
      { formula: shown, want: 'T' } as const,
      { formula: hidden, want: 'NT' } as const,
    ];
    return isImpossible(goals, knowledge, { left: maxBranches }) ? 'proved' : 'open';
  } catch (error) {
    if (error instanceof BudgetSpent) return 'spent';
    throw error;
  }
}

function formulaOf(rule: RowRule, { tables }: Model, knowledge: Knowledge): Formula {
  const { table, expression } = rule;
  const row = { name: 'r0', table };
  return expression ? ruleFormula(expression, row, { tables, knowledge }) : never;
}

function combine(
  gained: Difference,
  lost: Difference,
  unmodelled: readonly string[],
): RowComparison {
  const witnesses = {
    ...(gained.kind === 'some' && { gained: gained.witness }),
    ...(lost.kind === 'some' && { lost: lost.witness }),
  };
  const open = [gained, lost].flatMap((one) => (one.kind === 'open' ? [one] : []));
  if (open.length === 0) return { verdict: verdictOf(gained, lost), ...witnesses };
  const isSpent = open.some((one) => one.isSpent);
  return { ...undecided(reasonOf(unmodelled, isSpent)), ...witnesses };
}

function verdictOf(gained: Difference, lost: Difference): RowVerdict {
  if (gained.kind === 'some') return lost.kind === 'some' ? 'crossed' : 'wider';
  return lost.kind === 'some' ? 'narrower' : 'same';
}

function reasonOf(unmodelled: readonly string[], isSpent: boolean): string {
  if (unmodelled.length > 0) return `only Postgres can evaluate ${unmodelled.join(', ')}`;
  return isSpent
    ? `the proof needs more than ${maxBranches} branches, and no row was found that shows a difference`
    : 'there is neither a proof nor a row that shows a difference';
}
