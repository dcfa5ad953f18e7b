import { describeCondition, describeText } from '../../../expressions/describe.ts';
import { parseArray } from '../../../expressions/literals.ts';
import { titledHeader } from '../../../expressions/session-variables.ts';
import { operandsOf, partsOf } from '../../../expressions/visit.ts';
import type { BoolExp } from '../../../types/expressions.ts';
import type { TableKey, TypeName } from '../../../types/names.ts';
import { compare } from '../../evaluate/compare.ts';
import { readValue, type ValueType, valueType } from '../../evaluate/values.ts';
import { relationsFor } from '../prove/terms.ts';
import { passes } from '../row-rule.ts';
import type { DraftRow, Found, Pair, SearchScope } from '../search/found.ts';
import { witnessNow } from '../search/value-pools.ts';

/** A column of the row itself or of a related row, with its name in words, e.g. `member.points`. */
export interface NamedCell {
  readonly table: TableKey;
  readonly row: DraftRow;
  readonly column: string;
  readonly name: string;
  readonly path: string;
}

/** A value of the column, and whether the difference between the rules remains with it. */
interface Sample {
  readonly text: string | null;
  readonly remains: boolean;
  /** Whether the hiding rule lets the row through with this value. */
  readonly isPassed: boolean;
}

interface Words {
  readonly found: Found;
  readonly pair: Pair;
  readonly scope: SearchScope;
  readonly headerPrefix: string;
}

/**
 * Describes the values of a column for which the rules differ, if other values would make the hiding rule let the row
 * through. Undefined if the column does not cause the difference alone.
 */
export function columnWords(cell: NamedCell, words: Words): string | undefined {
  const type = words.scope.survey.columns.get(cell.table)?.get(cell.column);
  const own = type && valueType(type);
  if (!type || !own) return undefined;
  const samples = samplesOf(cell, type, words);
  if (!samples.some(({ isPassed }) => isPassed)) return undefined;
  const comparisons = comparisonsOf(cell, words);
  // A column that only joins rows says nothing to a reader.
  if (comparisons.length === 0 && !isTestedForNull(cell, words)) return undefined;
  if (comparisons.some(({ operator }) => relationsFor(operator.symbol) === undefined))
    return patternWords(cell, words);
  const isRange = comparisons.some(({ operator }) => !['=', '<>'].includes(operator.symbol));
  return isRange && own.name !== 'text'
    ? rangeWords(cell, own, samples, words)
    : listWords(cell, own, samples, words);
}

function comparisonsOf({ table, column }: NamedCell, { scope }: Words) {
  return scope.survey.comparisons.flatMap((one) => {
    const { comparison } = one;
    const isOwn = !('field' in comparison.column) && comparison.column.column === column;
    return one.table === table && isOwn ? [comparison] : [];
  });
}

/** Returns the values of the variables that the column is compared with. */
function comparedVariables(cell: NamedCell, words: Words): readonly string[] {
  const { variables } = words.found.world;
  const operands = comparisonsOf(cell, words).flatMap(({ operand }) => operandsOf(operand));
  return operands.flatMap((one) => (one.kind === 'variable' ? (variables[one.name] ?? []) : []));
}

function isTestedForNull({ column }: NamedCell, { pair }: Words): boolean {
  const parts = [pair.shows, pair.hides].flatMap(({ expression }) =>
    expression ? partsOf(expression) : [],
  );
  return parts.some(
    (part) => part.kind === 'isNull' && !('field' in part.column) && part.column.column === column,
  );
}

/** Tries every value of the pool, every variable, null, and a value that no rule names. */
function samplesOf(cell: NamedCell, type: TypeName, words: Words): readonly Sample[] {
  const { scope, found, pair } = words;
  const { row, column, table } = cell;
  const old = row[column] ?? null;
  const fresh = scope.pools.fresh(type, 99);
  const texts = new Set<string | null>([
    old,
    ...scope.pools.valuesOf(type),
    ...comparedVariables(cell, words),
    ...(fresh === undefined ? [] : [fresh]),
    ...(scope.knowledge.mayBeNull(table, column) ? [null] : []),
  ]);
  const own = valueType(type);
  const readable = [...texts].filter(
    (text) => text === null || (own && readValue(text, own) !== undefined),
  );
  const samples = readable.map((text): Sample => {
    row[column] = text;
    const [shown, passed] = [pair.shows, pair.hides].map((rule) =>
      passes(rule, found.row, found.world),
    );
    const isHidden = passed === false || passed === null;
    return { text, remains: shown === true && isHidden, isPassed: passed === true };
  });
  row[column] = old;
  return samples;
}

/** Returns the words for a value: a variable that the column is compared with, now, or the value. */
function valueName(cell: NamedCell, text: string, words: Words): string {
  const { variables } = words.found.world;
  const operands = comparisonsOf(cell, words).flatMap(({ operand }) => operandsOf(operand));
  const variable = operands.find((one) => one.kind === 'variable' && variables[one.name] === text);
  if (variable?.kind === 'variable')
    return `the caller's ${titledHeader(variable.name, words.headerPrefix)}`;
  const isNow = operands.some(({ kind }) => kind === 'now') && text === witnessNow;
  return isNow ? 'now' : describeText(text);
}

/** Returns the values that the rules name: literals, and the values of the variables that they read. */
function mentioned(cell: NamedCell, own: ValueType, words: Words): ReadonlySet<string> {
  const { now } = words.found.world;
  const operands = comparisonsOf(cell, words).flatMap(({ operand }) => operandsOf(operand));
  const isTimed = operands.some(({ kind }) => kind === 'now');
  const texts = [...comparedVariables(cell, words), ...(isTimed ? [now] : [])];
  const literals = operands.flatMap((operand) => {
    if (operand.kind !== 'literal') return [];
    return operand.type.element ? (parseArray(operand.text) ?? []) : [operand.text];
  });
  const known = [...texts, ...literals].flatMap((text) => {
    const value = text === null ? undefined : readValue(text, own);
    return typeof value === 'string' && text !== null ? [text, value] : [];
  });
  return new Set([
    ...known,
    ...(own.labels ?? []),
    ...(own.name === 'bool' ? ['true', 'false'] : []),
  ]);
}

function listWords(
  cell: NamedCell,
  own: ValueType,
  samples: readonly Sample[],
  words: Words,
): string {
  const named = mentioned(cell, own, words);
  const texts = samples.flatMap((one) => (one.text === null ? [] : [{ ...one, text: one.text }]));
  const isNull = samples.some((one) => one.text === null && one.remains);
  const others = texts.filter(({ text }) => !named.has(text) && own.name !== 'bool');
  const nameOf = ({ text }: { text: string }) => valueName(cell, text, words);
  // A column without any value that the rules do not name has a closed list, such as an enum.
  if (own.name === 'bool' && isNull && texts.filter((one) => one.remains).length === 1) {
    const excluded = texts.filter((one) => !one.remains).map(nameOf);
    return `${cell.name} is not ${excluded.join('')}`;
  }
  if (others.some(({ remains }) => remains)) {
    const excluded = texts.filter((one) => named.has(one.text) && !one.remains).map(nameOf);
    if (excluded.length === 0) return `${cell.name} is not null`;
    return `${cell.name} is ${isNull ? 'null or ' : ''}${neither(excluded)}`;
  }
  const included = [...new Set(texts.filter((one) => one.remains).map(nameOf))];
  const all = isNull ? [...included, 'null'] : included;
  return `${cell.name} is ${all.join(' or ')}`;
}

function neither(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const [only] = distinct;
  if (only && distinct.length === 1) return `not ${only}`;
  return `neither ${distinct.slice(0, -1).join(', ')} nor ${distinct.at(-1)}`;
}

/** Describes the interval around the row's own value by the edges that the rules name. */
function rangeWords(
  cell: NamedCell,
  own: ValueType,
  samples: readonly Sample[],
  words: Words,
): string {
  const named = mentioned(cell, own, words);
  const sorted = samples
    .flatMap((one) => (one.text === null ? [] : [{ ...one, text: one.text }]))
    .sort((a, b) => (compare('<', own, a.text, b.text) === true ? -1 : 1));
  const at = sorted.findIndex(({ text }) => text === cell.row[cell.column]);
  const first = at < 0 ? sorted.findIndex((one) => one.remains) : startOf(sorted, at);
  const isNull = samples.some((one) => one.text === null && one.remains);
  const prefix = `${cell.name} is ${isNull ? 'null' : ''}`;
  if (first < 0) return prefix;
  const after = sorted.findIndex((one, index) => index > first && !one.remains);
  const [below, above] = [sorted[first - 1], after < 0 ? undefined : sorted[after]];
  const last = sorted[after < 0 ? sorted.length - 1 : after - 1];
  const edge = (text: string) => valueName(cell, text, words);
  const start = sorted[first];
  if (start && start === last && below && above)
    return `${prefix}${isNull ? ' or ' : ''}${edge(start.text)}`;
  const lower =
    below &&
    start &&
    (named.has(start.text) ? `at least ${edge(start.text)}` : `above ${edge(below.text)}`);
  const upper =
    above &&
    last &&
    (named.has(last.text) ? `at most ${edge(last.text)}` : `below ${edge(above.text)}`);
  const range = [lower, upper].filter((part) => part !== undefined).join(' and ');
  return `${prefix}${isNull && range ? ' or ' : ''}${range}`;
}

/** Returns the index of the first of the neighbouring samples with the difference. */
function startOf(sorted: readonly Sample[], at: number): number {
  let first = at;
  while (first > 0 && sorted[first - 1]?.remains) first -= 1;
  return first;
}

/** Describes a column with patterns by its comparisons: those that the showing rule has, or the opposite. */
function patternWords(cell: NamedCell, words: Words): string {
  const { headerPrefix, pair } = words;
  const own = comparisonsOf(cell, words);
  const shown = new Set<BoolExp>(pair.shows.expression ? partsOf(pair.shows.expression) : []);
  const parts = own.map((one) =>
    shown.has(one)
      ? describeCondition(one, headerPrefix, cell.path)
      : `not (${describeCondition(one, headerPrefix, cell.path)})`,
  );
  return [...new Set(parts)].join(' and ');
}
