import { meaningOf } from '../../../expressions/combine.ts';
import { describeCondition, shortTable } from '../../../expressions/describe.ts';
import { titledHeader } from '../../../expressions/session-variables.ts';
import { conjuncts, leadsAway, partsOf } from '../../../expressions/visit.ts';
import type { BoolExp } from '../../../types/expressions.ts';
import type { TableKey } from '../../../types/names.ts';
import { outcomeOf, relatedRows } from '../../evaluate/evaluate-rule.ts';
import type { CountingCondition, Witness } from '../row-comparison.ts';
import { passes } from '../row-rule.ts';
import type { DraftRow, Found, Pair, SearchScope } from '../search/found.ts';
import { columnWords, type NamedCell } from './column-words.ts';

/** Makes the witness of a difference, with the conditions that count in words. */
export function makeWitness(
  found: Found,
  pair: Pair,
  scope: SearchScope,
  headerPrefix: string,
): Witness {
  const { world, row } = found;
  const related = [...world.rows].flatMap(([table, rows]) =>
    rows.filter((one) => one !== row).map((one) => ({ table, row: { ...one } })),
  );
  return {
    table: pair.shows.table,
    row: { ...row },
    related,
    variables: { ...world.variables },
    now: world.now,
    counts: conditionsOf(found, pair, scope, headerPrefix),
  };
}

function conditionsOf(
  found: Found,
  pair: Pair,
  scope: SearchScope,
  headerPrefix: string,
): readonly CountingCondition[] {
  const named = cellsOf(found, pair).flatMap((cell): NamedCondition[] => {
    const words = columnWords(cell, { found, pair, scope, headerPrefix });
    if (words === undefined) return [];
    return [{ name: cell.name, kind: cell.row === found.row ? 'column' : 'related', words }];
  });
  const variables = missingVariables(found, pair, scope, headerPrefix);
  const columns = named.map(({ kind, words }) => ({ kind, words }));
  const isNamed = columns.length + variables.length > 0;
  const hidden = isNamed ? columns : failedConditions(found, pair, headerPrefix);
  return [...newConditions(named, found, pair, headerPrefix), ...hidden, ...variables];
}

interface NamedCondition extends CountingCondition {
  /** The column with its path, e.g. `member.points`. */
  readonly name: string;
}

/**
 * Returns the conditions that only the showing rule has, if no other words are about their columns. Of alternatives, it
 * returns the first one that the row meets.
 */
function newConditions(
  named: readonly NamedCondition[],
  { world, row }: Found,
  { shows, hides }: Pair,
  headerPrefix: string,
): readonly CountingCondition[] {
  const { table } = shows;
  const place = { table, rootTable: table, row, root: row };
  const partsIn = (expression: BoolExp | undefined) => (expression ? conjuncts(expression) : []);
  const old = new Set(hides.expression ? partsOf(hides.expression).map(meaningOf) : []);
  return partsIn(shows.expression).flatMap((part): CountingCondition[] => {
    const met =
      part.kind === 'or' ? part.items.find((one) => outcomeOf(one, place, world) === true) : part;
    if (!met || met.kind === 'and' || met.kind === 'or') return [];
    const tests = partsOf(met).filter(({ kind }) => kind === 'compare' || kind === 'isNull');
    if (met === part && tests.every((one) => old.has(meaningOf(one)))) return [];
    const words = describeCondition(met, headerPrefix);
    if (named.some(({ name }) => ` ${words}`.includes(` ${name} `))) return [];
    return [{ kind: leadsAway(met) ? 'related' : 'column', words }];
  });
}

/** Returns the columns of the row and of its related rows, under their paths. */
function cellsOf(found: Found, { shows, hides }: Pair): readonly NamedCell[] {
  const places = new Map<DraftRow, { readonly table: TableKey; readonly path: string }>();
  const visit = (row: DraftRow, table: TableKey, path: string, expression: BoolExp): void => {
    if (!places.has(row)) places.set(row, { table, path });
    for (const part of partsOf(expression, (one) => !leadsAway(one))) {
      if (part.kind === 'exists')
        for (const other of found.world.rows.get(part.table) ?? [])
          visit(other, part.table, `${shortTable(part.table)}.`, part.item);
      if (part.kind !== 'related') continue;
      const { relationship } = part;
      const rows = relatedRows(relationship, { table, row }, found.world) ?? [];
      for (const other of rows as readonly DraftRow[])
        visit(other, relationship.table, `${path}${relationship.name}.`, part.item);
    }
  };
  for (const { expression } of [hides, shows])
    if (expression) visit(found.row, shows.table, '', expression);
  return [...places].flatMap(([row, { table, path }]) =>
    Object.keys(row).map((column) => ({ table, row, column, path, name: `${path}${column}` })),
  );
}

/** Returns the variables without which only the hiding rule is closed. */
function missingVariables(
  { world, row }: Found,
  { hides }: Pair,
  { survey, pools }: SearchScope,
  headerPrefix: string,
): readonly CountingCondition[] {
  const { variables } = world;
  return [...survey.variables].flatMap(([name, [type]]): CountingCondition[] => {
    if (variables[name] !== undefined || !type) return [];
    const isPassed = pools.valuesOf(type).some((text) => {
      variables[name] = text;
      return passes(hides, row, world) === true;
    });
    delete variables[name];
    const words = `even without ${titledHeader(name, headerPrefix)}`;
    return isPassed ? [{ kind: 'variable', words }] : [];
  });
}

/** Describes the difference by the conditions that the hiding rule has and the row does not meet. */
function failedConditions(
  { world, row }: Found,
  { shows, hides }: Pair,
  headerPrefix: string,
): readonly CountingCondition[] {
  const { table } = shows;
  const place = { table, rootTable: table, row, root: row };
  const isRefusing = !hides.expression || isNever(hides.expression);
  const failed =
    !isRefusing && hides.expression
      ? conjuncts(hides.expression).filter((part) => outcomeOf(part, place, world) !== true)
      : [];
  const words = failed.map((part) => describeCondition(part, headerPrefix));
  return words.length > 0 ? [{ kind: 'column', words: `not (${words.join(' and ')})` }] : [];
}

function isNever(expression: BoolExp): boolean {
  return expression.kind === 'or' && expression.items.length === 0;
}
