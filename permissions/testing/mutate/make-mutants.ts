import { filterIsCheck } from '../../compile/policies.ts';
import type { Position } from '../../diagnostics.ts';
import { everyRow, meaningOf, passesEveryRow } from '../../expressions/combine.ts';
import { inheritedFrom } from '../../model/rules/inherited-from.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Model, RoleModel, TablePermissions } from '../../types/model.ts';
import {
  type InsertRule,
  type Operation,
  operations,
  type Preset,
  type UpdateRule,
} from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { type ChangedExpression, changedExpressions } from './weaken-expression.ts';

/** The changes to rules that tests should notice, by name, as the documentation lists them. */
export const mutators = {
  'condition dropped': 'one condition of an `_and` in a filter or check is left out',
  'operator flipped': 'one comparison means its opposite',
  'relationship shortened': 'a condition on related rows holds for any related row',
  'role widened': 'a filter passes every row',
  'check removed': 'the check of an insert or update passes every row',
  'column added': 'the rule covers one more column',
  'preset removed': 'the rule does not set a column any more',
  'operation added': 'the role gets an operation on the table that it does not have',
} as const;

export type Mutator = keyof typeof mutators;

/** A changed rule of one role on one table. */
export interface Mutant {
  readonly mutator: Mutator;
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly operation: Operation;
  /** The place of the rule. */
  readonly position: Position;
  /** Says what was changed, as part of a sentence. */
  readonly words: string;
  /** The prefix of session variables in the metadata. */
  readonly headerPrefix: string;
  /** The rules of the role on the table with the change. */
  readonly rules: TablePermissions;
  /** The changed expression and what it was before; undefined when the mutant changes no condition. */
  readonly rows: { readonly before: BoolExp | undefined; readonly after: BoolExp } | undefined;
  /** The column that was added, or whose preset was removed. */
  readonly column: string | undefined;
}

/** Returns every mutant of the rules of all roles. Rules that a role only inherits change in the role that has them. */
export function makeMutants(model: Model): readonly Mutant[] {
  return [...model.roles.values()]
    .filter(({ name }) => name !== 'admin')
    .flatMap((role) =>
      [...role.tables].flatMap(([key, rules]) => {
        const table = model.tables.get(key);
        return table ? mutantsOf({ role, table, rules, model }) : [];
      }),
    );
}

interface Ruled {
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  readonly model: Model;
}

type Change = Pick<Mutant, 'mutator' | 'rules'> &
  Pick<ChangedExpression, 'words'> &
  Partial<Pick<Mutant, 'rows' | 'column'>>;

function mutantsOf(ruled: Ruled): readonly Mutant[] {
  const { role, table, rules, model } = ruled;
  const { headerPrefix } = model;
  const own = operations.filter((one) => inheritedFrom(role, table.key, one, model).length === 0);
  const position = operations.flatMap((one) => rules[one]?.position ?? [])[0] ?? table.position;
  return own.flatMap((operation) => {
    const changes = rules[operation]
      ? changesOf(operation, ruled)
      : addedOperation(operation, ruled);
    return changes.map((change) => ({
      ...{ role, table, operation, headerPrefix, rows: undefined, column: undefined, ...change },
      words: change.words(headerPrefix),
      position: rules[operation]?.position ?? position,
    }));
  });
}

function changesOf(operation: Operation, { table, rules }: Ruled): readonly Change[] {
  const { select, insert, update, delete: remove } = rules;
  switch (operation) {
    case 'select':
      return [
        ...filterChanges(select?.filter, (filter) => ({
          ...{ ...rules, select: select && { ...select, filter } },
        })),
        // A key that is hidden in GraphQL alone is no longer hidden when the rule lists it.
        ...addedColumns(table, select?.columns ?? [], undefined, (columns) => ({
          ...{ ...rules, select: select && { ...select, columns } },
          hiddenKeys: rules.hiddenKeys.filter((column) => !columns.includes(column)),
        })),
      ];
    case 'insert':
      return insert ? insertChanges(insert, table, rules) : [];
    case 'update':
      return update ? updateChanges(update, table, rules) : [];
    case 'delete':
      return filterChanges(remove?.filter, (filter) => ({
        ...{ ...rules, delete: remove && { ...remove, filter } },
      }));
  }
}

function insertChanges(
  rule: InsertRule,
  table: TableModel,
  rules: TablePermissions,
): readonly Change[] {
  const withRule = (insert: InsertRule) => ({ ...rules, insert });
  return [
    ...checkChanges(rule.check, (check) => withRule({ ...rule, check })),
    ...removedPresets(rule.presets, (presets) => withRule({ ...rule, presets })),
    ...addedColumns(table, rule.columns, rule.presets, (columns) => withRule({ ...rule, columns })),
  ];
}

function updateChanges(
  rule: UpdateRule,
  table: TableModel,
  rules: TablePermissions,
): readonly Change[] {
  const withRule = (update: UpdateRule) => ({ ...rules, update });
  const withCheck = (check: BoolExp) => withRule({ ...rule, check });
  const { filter, check } = rule;
  // A filter that also serves as the check has no conditions of a check to change.
  const implied = filterIsCheck(rule, table)
    ? [checkRemoved(filter, withCheck)].filter(() => !passesEveryRow(filter))
    : [];
  return [
    ...filterChanges(filter, (changed) => withRule({ ...rule, filter: changed })),
    ...(check ? checkChanges(check, withCheck) : implied),
    ...removedPresets(rule.presets, (presets) => withRule({ ...rule, presets })),
    ...addedColumns(table, rule.columns, rule.presets, (columns) => withRule({ ...rule, columns })),
  ];
}

type WithExpression = (expression: BoolExp) => TablePermissions;

function filterChanges(filter: BoolExp | undefined, change: WithExpression): readonly Change[] {
  return filter ? expressionChanges(filter, 'role widened', 'with every row', change) : [];
}

function checkChanges(check: BoolExp, change: WithExpression): readonly Change[] {
  return expressionChanges(check, 'check removed', 'without its check', change);
}

function checkRemoved(before: BoolExp, change: WithExpression): Change {
  const rows = { before, after: everyRow };
  return {
    mutator: 'check removed',
    words: () => 'without its check',
    rules: change(everyRow),
    rows,
  };
}

/** Returns the mutants of an expression. Mutants that come to the same expression count once. */
function expressionChanges(
  before: BoolExp,
  widest: 'role widened' | 'check removed',
  words: string,
  change: WithExpression,
): readonly Change[] {
  if (passesEveryRow(before)) return [];
  const widened = { mutator: widest, expression: everyRow, words: () => words };
  const all: readonly (Omit<ChangedExpression, 'mutator'> & { readonly mutator: Mutator })[] = [
    widened,
    ...changedExpressions(before),
  ];
  const distinct = new Map(all.map((one) => [meaningOf(one.expression), one]));
  return [...distinct.values()].map(({ mutator, expression, words }) => ({
    ...{ mutator, words, rules: change(expression), rows: { before, after: expression } },
  }));
}

/** @param presets the presets of a rule for writing; undefined: the rule reads */
function addedColumns(
  table: TableModel,
  columns: readonly string[],
  presets: readonly Preset[] | undefined,
  change: (columns: readonly string[]) => TablePermissions,
): readonly Change[] {
  const isWrite = presets !== undefined;
  const taken = new Set([...columns, ...(presets ?? []).map(({ column }) => column)]);
  return [...table.columns.values()].flatMap(({ name, generated }) => {
    if (taken.has(name) || (isWrite && generated)) return [];
    const all = [...table.columns.keys()].filter((one) => one === name || columns.includes(one));
    const words = () => `with the column ${name} too`;
    return [{ mutator: 'column added' as const, words, rules: change(all), column: name }];
  });
}

function removedPresets(
  presets: readonly Preset[],
  change: (presets: readonly Preset[]) => TablePermissions,
): readonly Change[] {
  return presets.map(({ column }) => ({
    mutator: 'preset removed',
    words: () => `without its preset of ${column}`,
    rules: change(presets.filter((one) => one.column !== column)),
    column,
  }));
}

/** Gives the role an operation that it lacks, on the rows that it sees. */
function addedOperation(operation: Operation, { table, rules }: Ruled): readonly Change[] {
  const { select } = rules;
  const position = table.position;
  const filter = select?.filter ?? everyRow;
  const columns = [...table.columns.values()].flatMap((one) => (one.generated ? [] : [one.name]));
  const head = { variables: [], position, backendOnly: false };
  const write = { ...head, columns, presets: [], references: [] };
  const words = () => `with a rule for ${operation} too`;
  const add = (more: Partial<TablePermissions>): readonly Change[] => [
    { mutator: 'operation added', words, rules: { ...rules, ...more } },
  ];
  switch (operation) {
    case 'insert':
      return table.view ? [] : add({ insert: { ...write, check: everyRow } });
    case 'update':
      return table.view ? [] : add({ update: { ...write, filter, check: everyRow } });
    case 'delete':
      return table.view ? [] : add({ delete: { ...head, filter } });
    case 'select':
      return [];
  }
}
