import type { Model } from '../../../types/model.ts';
import type { TableKey, VariableName } from '../../../types/names.ts';
import { relatedRows, type TextRow, type World } from '../../evaluate/evaluate-rule.ts';
import type { Knowledge } from '../prove/knowledge.ts';
import { passes, type RowRule } from '../row-rule.ts';
import type { Survey } from '../survey.ts';
import type { Random } from './random.ts';
import type { ValuePools } from './value-pools.ts';

export type DraftRow = Record<string, string | null>;

/** A world whose rows and variables can be changed. */
export interface ChangeableWorld extends World {
  readonly rows: Map<TableKey, DraftRow[]>;
  readonly variables: Record<VariableName, string>;
}

/** The inputs of a search that stay the same in all its tries. */
export interface SearchScope {
  readonly tables: Model['tables'];
  readonly survey: Survey;
  readonly knowledge: Knowledge;
  readonly pools: ValuePools;
  readonly random: Random;
  /** Whether only sessions with all variables count. Absent: a missing variable may make the difference. */
  readonly needsVariables?: boolean;
}

/** A world in which the first of two rules lets the row through, and the second does not. */
export interface Found {
  readonly world: ChangeableWorld;
  /** The row itself, which is also among the rows of its table. */
  readonly row: DraftRow;
}

/** Two rules of which one shows a row that the other hides. */
export interface Pair {
  readonly shows: RowRule;
  readonly hides: RowRule;
}

/** Returns whether a world shows the difference and keeps all constraints. */
export function isDifference(
  { world, row }: Found,
  { shows, hides }: Pair,
  scope: SearchScope,
): boolean {
  if (passes(shows, row, world) !== true) return false;
  const hidden = passes(hides, row, world);
  return (
    (hidden === false || hidden === null) &&
    hasNeededVariables(world, scope) &&
    keepsConstraints(world, scope) &&
    isLinked(world, scope)
  );
}

function hasNeededVariables(
  { variables }: World,
  { survey, needsVariables }: SearchScope,
): boolean {
  return (
    needsVariables !== true ||
    [...survey.variables.keys()].every((name) => variables[name] !== undefined)
  );
}

/** Returns whether every row has the related rows that it certainly has. */
function isLinked(world: World, scope: SearchScope): boolean {
  return certainRelationships(scope).every(({ table, relationship }) =>
    (world.rows.get(table) ?? []).every(
      (row) => (relatedRows(relationship, { table, row }, world)?.length ?? 0) > 0,
    ),
  );
}

export function certainRelationships({ survey, knowledge }: SearchScope) {
  return survey.relationships.filter(({ table, relationship }) =>
    knowledge.isCertain(table, relationship),
  );
}

/** Returns whether a world keeps the constraints that both catalogs state. */
export function keepsConstraints(world: World, { survey, knowledge }: SearchScope): boolean {
  for (const [table, rows] of world.rows) {
    const columns = [...(survey.columns.get(table)?.keys() ?? [])];
    const isFilled = (row: TextRow) =>
      columns.every((name) => (row[name] ?? null) !== null || knowledge.mayBeNull(table, name));
    if (!rows.every(isFilled)) return false;
    const keys = uniqueKeys(table, world.tables).filter((key) => knowledge.isUnique(table, key));
    if (keys.some((key) => hasDuplicate(rows, key))) return false;
  }
  return true;
}

function uniqueKeys(table: TableKey, tables: Model['tables']): readonly (readonly string[])[] {
  const model = tables.get(table);
  const constraints = model?.uniqueConstraints.map(({ columns }) => columns) ?? [];
  return [model?.primaryKey ?? [], ...constraints].filter((key) => key.length > 0);
}

/** Rows with a null, or a column that no rule mentions, in the key are no duplicates. */
function hasDuplicate(rows: readonly TextRow[], key: readonly string[]): boolean {
  const texts = rows.flatMap((row) => {
    const cells = key.map((column) => row[column] ?? null);
    return cells.includes(null) ? [] : [JSON.stringify(cells)];
  });
  return new Set(texts).size < texts.length;
}
