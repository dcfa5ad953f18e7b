import { passesEveryRow } from '../../expressions/combine.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Operation } from '../../types/rules.ts';
import type { Aspect, Change, ChangeClass } from '../change.ts';
import { describeWitness } from '../rows/describe-witness.ts';
import type { RowVerdict, Witness } from '../rows/row-comparison.ts';
import { changedConditions } from '../words/changed-conditions.ts';
import { conditionWords } from '../words/condition-words.ts';
import { type RolePair, ruleChange, textOf } from './scope.ts';
import { columnsThatCount, insertedRows, updatedRows } from './written-rows.ts';

/** One condition of a rule in both versions. */
interface Condition {
  readonly aspect: Extract<Aspect, 'rows' | 'check'>;
  readonly command: Operation;
  readonly before: BoolExp | undefined;
  readonly after: BoolExp | undefined;
  /** The verb for the operation of the role, e.g. `see`. */
  readonly verb: string;
}

const classes: Readonly<Record<RowVerdict, ChangeClass>> = {
  ...{ wider: 'dangerous', crossed: 'dangerous', undecided: 'review' },
  ...{ narrower: 'breaking', same: 'safe' },
};

/** Compares the conditions of the rules that a role has in both versions. */
export function compareRowRules(pair: RolePair): readonly Change[] {
  const { before, after, tables } = pair;
  const found: Change[] = [];
  const add = (condition: Condition) => found.push(...compareCondition(pair, condition));
  if (before?.select && after?.select) {
    const filters = { before: before.select.filter, after: after.select.filter };
    add({ aspect: 'rows', command: 'select', ...filters, verb: 'see' });
  }
  if (before?.insert && after?.insert) {
    const counting = columnsThatCount([before.insert, after.insert]);
    const old = insertedRows(before.insert, tables.before, counting);
    const now = insertedRows(after.insert, tables.after, counting);
    add({ aspect: 'check', command: 'insert', before: old, after: now, verb: 'insert' });
  }
  if (before?.update && after?.update) {
    const filters = { before: before.update.filter, after: after.update.filter };
    add({ aspect: 'rows', command: 'update', ...filters, verb: 'update' });
    const old = updatedRows(before.update, tables.before);
    const now = updatedRows(after.update, tables.after);
    if (!isFollowed(filters, { before: old, after: now }))
      add({
        aspect: 'check',
        command: 'update',
        before: old,
        after: now,
        verb: 'change',
      });
  }
  if (before?.delete && after?.delete) {
    const filters = { before: before.delete.filter, after: after.delete.filter };
    add({ aspect: 'rows', command: 'delete', ...filters, verb: 'delete' });
  }
  return found;
}

type Versions = Pick<Condition, 'before' | 'after'>;

/** Whether the check differs only because the filter takes its place. The filter is reported already. */
function isFollowed(filters: Versions, checks: Versions): boolean {
  return (
    textOf(filters.before) === textOf(checks.before) &&
    textOf(filters.after) === textOf(checks.after)
  );
}

function compareCondition(pair: RolePair, condition: Condition): readonly Change[] {
  const { before, after, command, aspect } = condition;
  if (textOf(before) === textOf(after)) return [];
  const { scope, key } = pair;
  const found = scope.compare(
    { table: key, expression: before },
    { table: key, expression: after },
  );
  const [old, now] = [
    conditionWords(before, scope.before.model.headerPrefix),
    conditionWords(after, scope.after.model.headerPrefix),
  ];
  const says = sentences[found.verdict]({ ...condition, ...found, table: pair.table, old, now });
  const details =
    found.verdict === 'undecided'
      ? [`before: ${old}`, `now: ${now}`, ...(found.reason ? [`because ${found.reason}`] : [])]
      : changedConditions(condition, { before: scope.before.model, after: scope.after.model });
  const rows = { ...found, table: key, before, after, beforeText: old, afterText: now };
  return [
    ruleChange(pair, { class: classes[found.verdict], aspect, command, says, details, rows }),
  ];
}

interface Said extends Condition {
  readonly table: string;
  readonly gained?: Witness;
  readonly lost?: Witness;
  readonly old: string;
  readonly now: string;
}

const sentences: Readonly<Record<RowVerdict, (said: Said) => string>> = {
  wider: (said) =>
    said.after && passesEveryRow(said.after)
      ? `${modalOf(said)} now ${everything(said)}`
      : gains(said),
  narrower: (said) =>
    said.before && passesEveryRow(said.before)
      ? `${modalOf(said)} no longer ${everything(said)}, only ${limited(said)}`
      : loses(said),
  crossed: (said) => `${gains(said)}; and ${loses(said)}`,
  same: (said) =>
    isResult(said)
      ? `may change rows of ${said.table} exactly as before: the check is only written differently`
      : `may ${said.verb} exactly the same rows of ${said.table} as before: the condition is only written differently`,
  undecided: (said) =>
    isResult(said)
      ? `may change rows of ${said.table} to more, fewer or other values: the comparison could not decide`
      : `may ${said.verb} more, fewer or other rows of ${said.table}: the comparison could not decide`,
};

/** Whether the condition limits the values that a changed row may have. */
function isResult({ aspect, command }: Said): boolean {
  return aspect === 'check' && command === 'update';
}

/** `would` for what a role sees, `may` for what it does. */
function modalOf({ command }: Said): string {
  return command === 'select' ? 'would' : 'may';
}

function everything(said: Said): string {
  const { aspect, verb, table } = said;
  if (isResult(said)) return `change rows of ${table} to any values in the columns that it may set`;
  return `${verb} ${aspect === 'check' ? 'any' : 'every'} row of ${table}`;
}

function limited(said: Said): string {
  return isResult(said) ? `so that ${said.now}` : `those where ${said.now}`;
}

function gains(said: Said): string {
  return `${modalOf(said)} now also ${some(said.gained, said, 'further')}`;
}

function loses(said: Said): string {
  return `${modalOf(said)} no longer ${some(said.lost, said, 'some')}`;
}

/** Returns what the role does with the rows of a witness. A witness is one example of the difference. */
function some(witness: Witness | undefined, said: Said, word: string): string {
  const { verb, table } = said;
  const rows = witness?.counts.length ? describeWitness(witness) : undefined;
  const where = said.aspect === 'check' ? 'so that' : 'where';
  return `${verb} ${rows?.replace(' where ', `, for example ${where} `) ?? `${word} rows of ${table}`}`;
}
