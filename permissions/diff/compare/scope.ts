import { meaningOf } from '../../expressions/combine.ts';
import { tableLabel } from '../../init/table-label.ts';
import { inheritedFrom } from '../../model/rules/inherited-from.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { Operation } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import type { Change } from '../change.ts';
import { makeChange } from '../change.ts';
import type { Version } from '../load/version.ts';
import { compareRules, type RowRule } from '../rows/compare-rules.ts';
import type { RowComparison } from '../rows/row-comparison.ts';

/** Both versions of one part of the metadata. */
export interface Both<T> {
  readonly before: T;
  readonly after: T;
}

/** Both versions, and the comparison of two row rules. */
export interface DiffScope extends Both<Version> {
  readonly compare: (before: RowRule, after: RowRule) => RowComparison;
}

/** Makes the scope of a comparison. Equal pairs of rules are compared once, because many roles share rules. */
export function makeScope(before: Version, after: Version): DiffScope {
  const models = { before: before.model, after: after.model };
  const known = new Map<string, RowComparison>();
  const compare = (one: RowRule, other: RowRule): RowComparison => {
    const key = JSON.stringify([one, other].map((rule) => [rule.table, textOf(rule.expression)]));
    const found = known.get(key) ?? compareRules(one, other, models);
    known.set(key, found);
    return found;
  };
  return { before, after, compare };
}

const texts = new WeakMap<BoolExp, string>();

/** Returns a condition as text. Conditions with equal texts mean the same. */
export function textOf(expression: BoolExp | undefined): string | undefined {
  if (!expression) return undefined;
  const text = texts.get(expression) ?? meaningOf(expression);
  texts.set(expression, text);
  return text;
}

/** One role and one table in both versions. At least one version has rules. */
export interface RolePair extends Both<TablePermissions | undefined> {
  readonly scope: DiffScope;
  readonly roles: Both<RoleModel | undefined>;
  readonly role: string;
  readonly key: TableKey;
  /** The name of the table in sentences. */
  readonly table: string;
  readonly tables: Both<TableModel | undefined>;
}

/** Returns the name of a table of either version for people. */
export function tableName(key: TableKey, { before, after }: Both<Pick<Version, 'model'>>): string {
  const table = after.model.tables.get(key) ?? before.model.tables.get(key);
  return table ? tableLabel(table) : key;
}

/** The parts of a change about a rule of one role that the rule determines. */
interface RuleChange
  extends Pick<Change, 'class' | 'aspect'>,
    Partial<Pick<Change, 'rows' | 'details'>> {
  /** The sentence without its first word, which is the role. */
  readonly says: string;
  /** The command of the rule. Undefined: the change concerns several rules. */
  readonly command: Operation | undefined;
}

/** Makes a change of one role on one table, at the places of the rule in both versions. */
export function ruleChange(pair: RolePair, { says, command, ...change }: RuleChange): Change {
  const { scope, role, roles, table } = pair;
  const rule = command ?? 'select';
  const [old, now] = [pair.before?.[rule], pair.after?.[rule]];
  const [having, version] = now ? [roles.after, scope.after] : [roles.before, scope.before];
  const parents = having ? inheritedFrom(having, pair.key, rule, version.model) : [];
  return makeChange({
    ...{ ...change, role, table, command, sentence: `${role} ${says}` },
    ...{ before: scope.before.placeOf(old?.position), after: scope.after.placeOf(now?.position) },
    inheritedFrom: parents.map(({ name }) => name),
  });
}

/** Returns the items of `all` that `others` lacks. */
export function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return all.filter((one) => !known.has(one));
}
