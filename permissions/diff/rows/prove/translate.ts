import { variablesOf } from '../../../expressions/dependencies.ts';
import { unguardedParts } from '../../../expressions/visit.ts';
import type { BoolExp } from '../../../types/expressions.ts';
import type { TableKey, VariableName, VariableUse } from '../../../types/names.ts';
import type { Relationship } from '../../../types/tables.ts';
import { always, equal, type Formula, type Rows } from './formula.ts';
import {
  callOf,
  columnCollation,
  type Frame,
  type NamedRow,
  subjectsOf,
  type Translation,
} from './frame.ts';
import { collatedTerm, isSameCollation, valueTerm } from './terms.ts';
import { comparisonFormula } from './translate-comparison.ts';

/** Translates a rule about a row. It begins with the variable check that the compiled rule has. */
export function ruleFormula(expression: BoolExp, row: NamedRow, scope: Translation): Formula {
  const present = presence(variablesOf(unguardedParts(expression)), scope);
  return { kind: 'and', items: [...present, formulaOf(expression, { row, root: row }, scope)] };
}

function formulaOf(expression: BoolExp, frame: Frame, scope: Translation): Formula {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return {
        kind: expression.kind,
        items: expression.items.map((item) => formulaOf(item, frame, scope)),
      };
    case 'not':
      return { kind: 'not', item: formulaOf(expression.item, frame, scope) };
    case 'guarded': {
      const item = formulaOf(expression.item, frame, scope);
      return { kind: 'and', items: [...presence(variablesOf([expression.item]), scope), item] };
    }
    case 'isNull':
      return nullFormula(expression, frame, scope);
    case 'compare':
      return comparisonFormula(expression, frame, scope);
    case 'related':
      return { kind: 'rows', rows: relatedRows(expression, frame, scope) };
    case 'exists':
    case 'computedRows':
      return { kind: 'rows', rows: otherRows(expression, frame, scope) };
  }
}

/** Returns the flags of a variable check. */
function presence(uses: readonly VariableUse[], { knowledge }: Translation): readonly Formula[] {
  return knowledge.closesWithoutVariable ? uses.map(({ variable }) => flagFor(variable)) : [];
}

function flagFor(variable: VariableName): Formula {
  return { kind: 'flag', key: `${variable} is set` };
}

function nullFormula(
  { column, negated }: Extract<BoolExp, { kind: 'isNull' }>,
  frame: Frame,
  scope: Translation,
): Formula {
  const [subject] = subjectsOf(column, frame, scope);
  const isNull: Formula = subject ? { kind: 'isNull', subject } : { kind: 'or', items: [] };
  return negated ? { kind: 'not', item: isNull } : isNull;
}

function relatedRows(
  { relationship, item }: Extract<BoolExp, { kind: 'related' }>,
  frame: Frame,
  scope: Translation,
): Rows {
  const { table, columns } = relationship;
  const link = (name: string) => linkFormula(relationship, frame, { name, table }, scope);
  const remotes = columns.map(({ remote }) => remote);
  const pairs = columns.map(({ local, remote }) => [local, remote]).sort();
  const isSingle =
    isExact(relationship, frame.row.table, scope) && scope.knowledge.isUnique(table, remotes);
  return {
    source: table,
    link,
    condition: (name) => {
      const inner = { row: { name, table }, root: frame.root };
      return { kind: 'and', items: [link(name), formulaOf(item, inner, scope)] };
    },
    single: isSingle ? JSON.stringify([table, frame.row.name, pairs]) : undefined,
    isCertain: scope.knowledge.isCertain(frame.row.table, relationship),
  };
}

/** Returns whether the columns of a relationship are compared as the unique key compares them. */
function isExact({ columns, table }: Relationship, from: TableKey, scope: Translation): boolean {
  return columns.every(({ local, remote }) => {
    const [a, b] = [columnCollation(from, local, scope), columnCollation(table, remote, scope)];
    return isSameCollation(a, b) && !a.findsTextsEqual;
  });
}

/** Returns the condition that a row is related. */
function linkFormula(
  { columns }: Relationship,
  { row: local }: Pick<Frame, 'row'>,
  remote: NamedRow,
  scope: Translation,
): Formula {
  const items = columns.map((pair): Formula => {
    const [a, b] = [cellOf(local, pair.local, scope), cellOf(remote, pair.remote, scope)];
    const subjects = [...a.subjects, ...b.subjects];
    return a.term && b.term && a.term.family === b.term.family
      ? { kind: 'order', subjects, left: a.term, right: b.term, relations: equal }
      : { kind: 'strict', subjects, key: JSON.stringify([a.key, 'joins', b.key]) };
  });
  return { kind: 'and', items };
}

function cellOf({ name, table }: NamedRow, column: string, scope: Translation) {
  const { tables, knowledge } = scope;
  const key = `${name}.${column}`;
  const type = tables.get(table)?.columns.get(column)?.type;
  const plain = type && valueTerm(key, type);
  const term = plain && collatedTerm(plain, columnCollation(table, column, scope));
  return { key, term, subjects: knowledge.mayBeNull(table, column) ? [key] : [] };
}

/** Returns the rows of a table, or those that the function of a computed field returns. */
function otherRows(
  expression: Extract<BoolExp, { kind: 'exists' | 'computedRows' }>,
  { row, root }: Frame,
  scope: Translation,
): Rows {
  const { table, item } = expression;
  return {
    source: expression.kind === 'exists' ? table : callOf(expression.field, row),
    link: () => always,
    condition: (name) => formulaOf(item, { row: { name, table }, root }, scope),
    single: undefined,
    isCertain: false,
  };
}
