import type { BoolExp, ColumnReference, ComputedReference, Operand } from '../types/expressions.ts';
import type { TableKey, TypeName } from '../types/names.ts';
import { parseArray } from './literals.ts';
import { titledHeader } from './session-variables.ts';
import { partsOfRow } from './visit.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

/**
 * Describes in words which rows pass a filter: `all rows`, `no rows` or `rows where status is 'active'`. Session
 * variables have the names of their headers.
 */
export function describeRows(filter: BoolExp, headerPrefix: string): string {
  const text = describeCondition(filter, headerPrefix);
  if (text === everyRow) return 'all rows';
  return text === noRow ? 'no rows' : `rows where ${text}`;
}

/**
 * Describes a condition in words, e.g. `status is 'active'`, or `every row`, or `no row`.
 * @param path the object relationships that lead to the described row, each with a dot, e.g. `fund.`; default: none
 */
export function describeCondition(condition: BoolExp, headerPrefix: string, path = ''): string {
  return describe(condition, { headerPrefix, path, around: 'none' });
}

const everyRow = 'every row';
const noRow = 'no row';

/** Returns the name of a table without the usual schema. */
export function shortTable(table: TableKey): string {
  return table.replace(/^public\./, '');
}

/** Writes numbers and truth values bare, and every other value in quotes. */
export function describeText(text: string): string {
  return /^(-?\d+(\.\d+)?|true|false)$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Describes a value to which a rule sets a column, e.g. `the caller's X-Gql-User-Id`. */
export function describeValue(value: Operand, headerPrefix: string): string {
  return describeOperand(value, { headerPrefix, path: '', around: 'none' });
}

/** The place of a part in the whole description. */
interface Place {
  readonly headerPrefix: string;
  /** The object relationships that lead to the described row, each with a dot, e.g. `fund.organization.`. */
  readonly path: string;
  /** The list around the part, which decides on parentheses. */
  readonly around: 'none' | 'and' | 'or';
}

function describe(part: BoolExp, place: Place): string {
  switch (part.kind) {
    case 'and':
    case 'or':
      return list(part.kind, part.items, place);
    case 'not':
      return `not (${describe(part.item, { ...place, around: 'none' })})`;
    case 'guarded':
      return describe(part.item, place);
    case 'isNull':
      return `${nameOf(part.column, place)} is ${part.negated ? 'not ' : ''}null`;
    case 'compare':
      return compare(part, place);
    case 'related':
      return related(part, place);
    case 'exists':
      return `${shortTable(part.table)} has a row${where(part.item, place)}`;
    case 'computedRows':
      return `${place.path}${part.field.name} returns a row${where(part.item, place)}`;
  }
}

function list(word: 'and' | 'or', items: readonly BoolExp[], place: Place): string {
  const [only, ...more] = items;
  if (!only) return word === 'and' ? everyRow : noRow;
  if (more.length === 0) return describe(only, place);
  const text = items.map((item) => describe(item, { ...place, around: word })).join(` ${word} `);
  return place.around === 'none' || place.around === word ? text : `(${text})`;
}

function related(
  { relationship, item }: Extract<BoolExp, { kind: 'related' }>,
  place: Place,
): string {
  const name = `${place.path}${relationship.name}`;
  if (relationship.kind === 'object' && requiresRow(item))
    return describe(item, { ...place, path: `${name}.` });
  return `${name} has a row${where(item, place)}`;
}

function where(item: BoolExp, { headerPrefix }: Place): string {
  const text = describe(item, { headerPrefix, path: '', around: 'none' });
  if (text === everyRow) return '';
  return item.kind === 'and' || item.kind === 'or' ? ` where (${text})` : ` where ${text}`;
}

/**
 * Returns whether a condition on a related row can be described as one on the path to that row: it has at least one
 * part, and each part would be untrue without the row.
 */
function requiresRow(item: BoolExp): boolean {
  const parts = partsOfRow(item);
  if (parts.every(({ kind }) => kind === 'and' || kind === 'or')) return false;
  return parts.every(
    (part) =>
      part.kind !== 'not' &&
      part.kind !== 'exists' &&
      !(part.kind === 'isNull' && !part.negated) &&
      !(part.kind === 'compare' && part.orNull) &&
      !((part.kind === 'and' || part.kind === 'or') && part.items.length === 0),
  );
}

function nameOf(reference: ColumnReference | ComputedReference, { path }: Place): string {
  if ('field' in reference) return `${path}${reference.field.name}`;
  return reference.scope === 'root'
    ? `the row's own ${reference.column}`
    : `${path}${reference.column}`;
}

const words: Readonly<Record<string, string>> = {
  '=': 'is',
  '<>': 'is not',
  '<': 'is below',
  '<=': 'is at most',
  '>': 'is above',
  '>=': 'is at least',
  '~~': 'is like',
  '!~~': 'is not like',
  '~~*': 'is, in any case, like',
  '!~~*': 'is not, in any case, like',
  '~': 'matches',
  '!~': 'does not match',
  '~*': 'matches, in any case,',
  '!~*': 'does not match, in any case,',
  '@>': 'contains',
  '<@': 'is contained in',
  '?': 'has the key',
  '?|': 'has one of the keys',
  '?&': 'has all of the keys',
};

/** Words for `similar to`, which Postgres evaluates by the operators of regular expressions. */
const similarWords: Readonly<Record<string, string>> = {
  '~': 'is similar to',
  '!~': 'is not similar to',
};

function compare(part: Comparison, place: Place): string {
  const name = nameOf(part.column, place);
  const { symbol } = part.operator;
  const verb = part.pattern === 'similar' ? similarWords[symbol] : words[symbol];
  const only = part.quantifier && onlyElement(part.operand);
  const value = describeOperand(only ?? part.operand, place);
  const text = `${name} ${verb ?? symbol} ${quantified(part)}${value}`;
  if (!part.orNull) return text;
  const both = `${name} is null or ${text}`;
  return place.around === 'none' || place.around === 'or' ? both : `(${both})`;
}

function quantified({ quantifier, operator: { symbol }, operand }: Comparison): string {
  if (quantifier === undefined || onlyElement(operand)) return '';
  return quantifier === 'any' || symbol === '<>' ? 'one of ' : 'all of ';
}

/** Returns the element of a list of one, which reads like a single value. */
function onlyElement(operand: Operand): Operand | undefined {
  if (operand.kind === 'array') return operand.items.length === 1 ? operand.items[0] : undefined;
  if (operand.kind !== 'literal' || !operand.type.element) return undefined;
  const [text, ...more] = parseArray(operand.text) ?? [];
  if (text === undefined || text === null || more.length > 0) return undefined;
  return { kind: 'literal', text, type: operand.type.element };
}

const unquoted = new Set(['bool', 'int2', 'int4', 'int8', 'numeric', 'float4', 'float8']);

function describeOperand(operand: Operand, place: Place): string {
  switch (operand.kind) {
    case 'literal':
      return literal(operand.text, operand.type);
    case 'variable':
      return `the caller's ${titledHeader(operand.name, place.headerPrefix)}`;
    case 'now':
      return 'now';
    case 'column':
      return nameOf(operand.reference, place);
    case 'array':
      return `(${operand.items.map((item) => describeOperand(item, place)).join(', ')})`;
  }
}

function literal(text: string, { name, element }: TypeName): string {
  const elements = element && parseArray(text);
  if (element && elements)
    return `(${elements.map((one) => (one === null ? 'null' : literal(one, element))).join(', ')})`;
  return unquoted.has(name) ? text : quoted(text);
}
