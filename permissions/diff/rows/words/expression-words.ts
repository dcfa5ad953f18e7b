import { passesEveryRow } from '../../../expressions/combine.ts';
import { subjectOf } from '../../../expressions/dependencies.ts';
import { parseArray } from '../../../expressions/literals.ts';
import { titledHeader } from '../../../expressions/session-variables.ts';
import { quote } from '../../../text/characters.ts';
import type { BoolExp, Operand } from '../../../types/expressions.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

/** How names are written: the prefix of headers, and the path from the rule's row, e.g. `member.`. */
export interface Naming {
  readonly headerPrefix: string;
  readonly path: string;
}

/** Returns a rule's condition in words, e.g. `status is 'a' and member.points is above 3`. */
export function describeExpression(expression: BoolExp, naming: Naming): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return joined(expression, naming);
    case 'not':
      return `not ${bracketed(expression.item, naming)}`;
    case 'guarded':
      return describeExpression(expression.item, naming);
    case 'isNull':
      return `${naming.path}${subjectOf(expression.column)} is ${expression.negated ? 'not null' : 'null'}`;
    case 'compare':
      return comparisonWords(expression, naming);
    case 'related':
      return relatedWords(expression.relationship.name, expression.item, naming);
    case 'exists':
    case 'computedRows': {
      const name =
        expression.kind === 'exists' ? shortTable(expression.table) : expression.field.name;
      const rows = `there is a row of ${name}`;
      return passesEveryRow(expression.item)
        ? rows
        : `${rows} where ${describeExpression(expression.item, { ...naming, path: `${name}.` })}`;
    }
  }
}

/** Returns the name of a table without the usual schema. */
export function shortTable(table: string): string {
  return table.replace(/^public\./, '');
}

function joined({ kind, items }: Extract<BoolExp, { kind: 'and' | 'or' }>, naming: Naming): string {
  if (items.length === 0) return kind === 'and' ? 'every row' : 'no row';
  const [only] = items;
  if (only && items.length === 1) return describeExpression(only, naming);
  return items.map((item) => bracketed(item, naming)).join(` ${kind} `);
}

function bracketed(expression: BoolExp, naming: Naming): string {
  const words = describeExpression(expression, naming);
  const { kind } = expression;
  const isSimple = kind === 'compare' || kind === 'isNull' || kind === 'not';
  return isSimple ? words : `(${words})`;
}

function relatedWords(name: string, item: BoolExp, naming: Naming): string {
  const path = `${naming.path}${name}`;
  return passesEveryRow(item)
    ? `there is a ${path}`
    : describeExpression(item, { ...naming, path: `${path}.` });
}

const verbs: Readonly<Record<string, string>> = {
  ...{ '=': 'is', '<>': 'is not', '>': 'is above', '>=': 'is at least' },
  ...{ '<': 'is below', '<=': 'is at most', '~~': 'matches', '!~~': 'does not match' },
  ...{ '~~*': 'matches (in any case)', '!~~*': 'does not match (in any case)' },
  ...{ '~': 'matches the regular expression', '!~': 'does not match the regular expression' },
  ...{ '@>': 'contains', '<@': 'is contained in', '?': 'has the key', '?|': 'has one of the keys' },
  '?&': 'has all the keys',
};

export function comparisonWords(comparison: Comparison, naming: Naming): string {
  const { column, operator, operand, quantifier, orNull } = comparison;
  const subject = `${naming.path}${subjectOf(column)}`;
  const verb = Object.hasOwn(verbs, operator.symbol) ? verbs[operator.symbol] : operator.symbol;
  const right = quantifier ? listWords(operand, quantifier, naming) : operandWords(operand, naming);
  return `${subject} ${verb} ${right}${orNull ? ' (or is null)' : ''}`;
}

function listWords(operand: Operand, quantifier: 'any' | 'all', naming: Naming): string {
  const items = itemsOf(operand, naming);
  const word = quantifier === 'any' ? 'one of' : 'any of';
  if (!items) return `${word} ${operandWords(operand, naming)}`;
  return items.length === 1 && items[0] ? items[0] : `${word} ${items.join(', ') || 'nothing'}`;
}

function itemsOf(operand: Operand, naming: Naming): readonly string[] | undefined {
  if (operand.kind === 'array') return operand.items.map((item) => operandWords(item, naming));
  if (operand.kind !== 'literal') return undefined;
  return parseArray(operand.text)?.map((text) => (text === null ? 'null' : valueWords(text)));
}

function operandWords(operand: Operand, { headerPrefix, path }: Naming): string {
  switch (operand.kind) {
    case 'literal':
      return valueWords(operand.text);
    case 'variable':
      return `the caller's ${titledHeader(operand.name, headerPrefix)}`;
    case 'now':
      return 'the current time';
    case 'column':
      return `${operand.reference.scope === 'root' ? "the row's " : path}${operand.reference.column}`;
    case 'array':
      return operand.items.map((item) => operandWords(item, { headerPrefix, path })).join(', ');
  }
}

/** Writes numbers and truth values bare, and every other value in quotes. */
export function valueWords(text: string): string {
  return /^(-?\d+(\.\d+)?|true|false)$/.test(text)
    ? text
    : quote(text).replace(/^"(.*)"$/s, "'$1'");
}
