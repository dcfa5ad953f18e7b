import type { BoolExp, ColumnReference, ComputedReference, Operand } from '../types/expressions.ts';
import type { VariableUse } from '../types/names.ts';
import type { Preset } from '../types/rules.ts';

/** Every variable that an expression reads, however deep, each with each type once. */
export function variablesOf(
  expressions: readonly (BoolExp | undefined)[],
  presets: readonly Preset[] = [],
): readonly VariableUse[] {
  const found = new Map<string, VariableUse>();
  const add = (operand: Operand): void => {
    if (operand.kind === 'array') operand.items.forEach(add);
    if (operand.kind !== 'variable') return;
    const use = { variable: operand.name, type: operand.type };
    found.set(JSON.stringify(use), use);
  };
  for (const expression of expressions) if (expression) eachOperand(expression, add);
  for (const preset of presets) add(preset.value);
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use);
}

function eachOperand(expression: BoolExp, visit: (operand: Operand) => void): void {
  switch (expression.kind) {
    case 'and':
    case 'or':
      for (const item of expression.items) eachOperand(item, visit);
      return;
    case 'not':
    case 'guarded':
    case 'related':
    case 'exists':
    case 'computedRows':
      eachOperand(expression.item, visit);
      return;
    case 'compare':
      visit(expression.operand);
      return;
    case 'isNull':
      return;
  }
}

/** The columns of the row under test that an expression reads, not those of related rows. */
export function ownColumns(expression: BoolExp): ReadonlySet<string> {
  const found = new Set<string>();
  collectColumns(expression, 'row', found);
  return found;
}

/** Columns read with the given scope at this level: `row` stops at relationships, `root` goes below them. */
function collectColumns(expression: BoolExp, scope: 'row' | 'root', found: Set<string>): void {
  switch (expression.kind) {
    case 'and':
    case 'or':
      for (const item of expression.items) collectColumns(item, scope, found);
      return;
    case 'not':
    case 'guarded':
      collectColumns(expression.item, scope, found);
      return;
    case 'isNull':
      collectReference(expression.column, scope, found);
      return;
    case 'compare': {
      const { column, operand } = expression;
      collectReference(column, scope, found);
      if (operand.kind === 'column' && operand.reference.scope === scope)
        found.add(operand.reference.column);
      return;
    }
    case 'related':
      if (scope === 'row')
        for (const pair of expression.relationship.columns) found.add(pair.local);
      else collectColumns(expression.item, scope, found);
      return;
    case 'exists':
      if (scope === 'root') collectColumns(expression.item, scope, found);
      return;
    case 'computedRows':
      if (scope === 'row') for (const column of expression.columns) found.add(column);
      else collectColumns(expression.item, scope, found);
      return;
  }
}

function collectReference(
  reference: ColumnReference | ComputedReference,
  scope: 'row' | 'root',
  found: Set<string>,
): void {
  if (reference.scope !== scope) return;
  const names = 'field' in reference ? reference.columns : [reference.column];
  for (const name of names) found.add(name);
}

/** The columns of the rule's own table that an expression about another row compares with. */
export function rootColumns(expression: BoolExp): ReadonlySet<string> {
  const found = new Set<string>();
  collectColumns(expression, 'root', found);
  return found;
}

/** How often an expression leads to another table or calls a function for its rows. */
export function tablesOf(expression: BoolExp): number {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.items.reduce((sum, item) => sum + tablesOf(item), 0);
    case 'not':
    case 'guarded':
      return tablesOf(expression.item);
    case 'related':
    case 'exists':
    case 'computedRows':
      return 1 + tablesOf(expression.item);
    case 'compare':
    case 'isNull':
      return 0;
  }
}

/** All columns that an expression depends on: of the row under test, and of the rule's own table below it. */
export function filterColumns(filter: BoolExp): readonly string[] {
  return [...ownColumns(filter), ...rootColumns(filter)];
}
