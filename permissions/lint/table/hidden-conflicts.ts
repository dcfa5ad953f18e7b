import { filterColumns } from '../../expressions/dependencies.ts';
import { grantedColumns } from '../../expressions/granted-columns.ts';
import { conjuncts } from '../../expressions/visit.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { Preset } from '../../types/rules.ts';

/** A unique index that `on conflict` can name. */
export interface ConflictKey {
  /** Columns whose values are always equal in two conflicting rows. */
  readonly columns: readonly string[];
  /** The columns of the index, and the columns that its expressions read. */
  readonly reads: readonly string[];
  /** Columns among `reads` whose default a caller can predict. */
  readonly filled: readonly string[];
}

/**
 * Returns whether an upsert of the role can conflict with a row that the role may not see. Postgres tests the WHERE of
 * `do update` on the existing row before it applies any policy to that row
 * (https://www.postgresql.org/docs/current/sql-createpolicy.html), so the upsert would reveal values of that row. The
 * existing row always satisfies the conditions of the insert check and the select filter that compare only the key,
 * because the new row passed them and has the same key.
 */
export function meetsHiddenRows(key: ConflictKey, rules: TablePermissions): boolean {
  const { select, insert, update } = rules;
  if (!select || !insert || !update) return false;
  const readable = grantedColumns(rules);
  const given = [...insert.columns, ...insert.presets.map((preset) => preset.column)];
  if (!key.reads.every((column) => readable.includes(column))) return false;
  if (!key.reads.some((column) => given.includes(column))) return false;
  if (!key.reads.every((column) => given.includes(column) || key.filled.includes(column)))
    return false;
  const known = [...conjuncts(insert.check), ...conjuncts(select.filter)].filter((one) =>
    isAbout(one, key.columns),
  );
  const presets = insert.presets.filter((preset) => key.columns.includes(preset.column));
  return !follows(select.filter, known, presets);
}

/**
 * Returns whether a condition certainly holds, given that the known conditions hold and that the presets have set their
 * columns.
 */
function follows(
  condition: BoolExp,
  known: readonly BoolExp[],
  presets: readonly Preset[],
): boolean {
  if (condition.kind === 'and') return condition.items.every((one) => follows(one, known, presets));
  const text = JSON.stringify(condition);
  return (
    known.some((one) => JSON.stringify(one) === text) ||
    presets.some((preset) => isPreset(condition, preset)) ||
    (condition.kind === 'or' && condition.items.some((one) => follows(one, known, presets)))
  );
}

function isPreset(condition: BoolExp, { column, value }: Preset): boolean {
  return (
    condition.kind === 'compare' &&
    condition.operator.symbol === '=' &&
    condition.quantifier === undefined &&
    !('field' in condition.column) &&
    condition.column.column === column &&
    JSON.stringify(condition.operand) === JSON.stringify(value)
  );
}

/** Returns whether a condition reads no columns of the row except these. */
function isAbout(condition: BoolExp, columns: readonly string[]): boolean {
  return filterColumns(condition).every((column) => columns.includes(column));
}
