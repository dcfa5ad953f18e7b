import { filterIsCheck, movesAny } from '../../compile/policies.ts';
import { allOf } from '../../expressions/combine.ts';
import { filterColumns, ownColumns } from '../../expressions/dependencies.ts';
import { conjuncts, leadsAway, partsOf } from '../../expressions/visit.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { InsertRule, Preset, UpdateRule } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';

/**
 * Returns the columns that either version presets or checks. Only these columns can make a difference between the rows
 * that both versions let a role write.
 */
export function columnsThatCount(rules: readonly (InsertRule | undefined)[]): readonly string[] {
  const columns = rules.flatMap((rule) =>
    rule ? [...rule.presets.map(({ column }) => column), ...ownColumns(rule.check)] : [],
  );
  return [...new Set(columns)].sort();
}

/**
 * Returns the condition that every inserted row meets: the check, the values of presets, and null in columns that
 * neither the client nor a default fills in. Of rows that triggers or the table below a view may change, only the check
 * is known.
 */
export function insertedRows(
  rule: InsertRule | undefined,
  table: TableModel | undefined,
  counting: readonly string[],
): BoolExp | undefined {
  if (!rule || !table) return undefined;
  if (table.view || table.hasInsertTriggers) return rule.check;
  const preset = new Set(rule.presets.map(({ column }) => column));
  const empty = counting.flatMap((name) => {
    const column = table.columns.get(name);
    const isFilled = preset.has(name) || rule.columns.includes(name);
    if (!column || isFilled || column.hasDefault || column.generated) return [];
    const reference = { scope: 'row' as const, column: name, type: column.type };
    return [{ kind: 'isNull' as const, column: reference, negated: false }];
  });
  return allOf([rule.check, ...presetValues(rule.presets, table), ...empty]);
}

/**
 * Returns the condition that every updated row meets. Without a check the filter takes its place, because a changed row
 * must still pass it. With a check, those parts of the filter still hold that read only columns which the role cannot
 * change. Of rows that triggers or the table below a view may change, only the check is known. An update that moves a
 * row to another partition also runs the triggers for inserts.
 */
export function updatedRows(
  rule: UpdateRule | undefined,
  table: TableModel | undefined,
): BoolExp | undefined {
  if (!rule || !table) return undefined;
  const { check, filter, presets } = rule;
  if (table.view || table.hasUpdateTriggers || table.hasInsertTriggers)
    return check ?? allOf(filterIsCheck(rule, table) ? [filter] : []);
  const kept = conjuncts(filter).filter(
    (part) => !partsOf(part).some(leadsAway) && !movesAny(filterColumns(part), rule, table),
  );
  const checked = check ? [check, ...kept] : [filter];
  return allOf([...checked, ...presetValues(presets, table)]);
}

/** Returns one condition for each preset: the column equals the value, unless its type may change the value. */
function presetValues(presets: readonly Preset[], table: TableModel): readonly BoolExp[] {
  return presets
    .toSorted((a, b) => (a.column < b.column ? -1 : 1))
    .flatMap(({ column, value }) => {
      const { type, reshaped } = table.columns.get(column) ?? {};
      if (!type || reshaped) return [];
      return [
        {
          ...{ kind: 'compare' as const, column: { scope: 'row' as const, column, type } },
          operator: { schema: 'pg_catalog', symbol: '=', leakproof: true },
          ...{ operand: value, orNull: false },
        },
      ];
    });
}
