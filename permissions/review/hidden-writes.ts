import { columnsThatCount, insertedRows } from '../diff/compare/written-rows.ts';
import { allOf } from '../expressions/combine.ts';
import { filterColumns, ownColumns } from '../expressions/dependencies.ts';
import { conjuncts, leadsAway, partsOf } from '../expressions/visit.ts';
import { label } from '../objects/state/state-object.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { InsertRule } from '../types/rules.ts';
import type { TableModel } from '../types/tables.ts';
import { type RuleSubject, referenceConditions } from './rule-subject.ts';

/**
 * Reports rules that let a role update or delete rows that it may not see. They have less effect than their author may
 * expect: an UPDATE or DELETE with a WHERE reads rows, and Postgres then changes only rows that the select rule shows
 * (https://www.postgresql.org/docs/current/sql-createpolicy.html#SQL-CREATEPOLICY-SUMMARY).
 */
export function writesBeyondSelect(subject: RuleSubject): void {
  const { role, table, rules, rows, report, isNew } = subject;
  const name = label(table);
  const passed = 'and Postgres passes over hidden rows where a condition is given';
  const { select } = rules;
  for (const [verb, rule] of [
    ['update', rules.update],
    ['delete', rules.delete],
  ] as const) {
    if (!rule || !isNew('write', rule.position, rule.filter, select?.filter)) continue;
    if (!select) {
      report.warning(
        'RG_WRITE_BEYOND_SELECT',
        rule.position,
        `${role.name} may ${verb} rows of ${name} but sees none, ${passed}`,
        'give the role a select rule there',
      );
      continue;
    }
    const example = rows.beyond(table.key, rule.filter, select.filter);
    if (example === undefined) continue;
    report.warning(
      'RG_WRITE_BEYOND_SELECT',
      rule.position,
      `${role.name} may ${verb} rows of ${name} that its select filter may hide, ${passed}`,
      `repeat the conditions of the select filter here, or widen that one; hidden are, for example, ${example}`,
    );
  }
}

/** Reports insert rules of roles that see no row of the table, or do not see some of the rows that they may insert. */
export function insertsBeyondSelect(subject: RuleSubject): void {
  const { role, table, rules, report, isNew } = subject;
  const { insert, select } = rules;
  if (!insert || !isNew('insert', insert.position, select?.filter)) return;
  if (!select) {
    report.warning(
      'RG_INSERT_WITHOUT_SELECT',
      insert.position,
      `${role.name} may insert rows into ${label(table)} but sees none, so a mutation returns none of them, and a conflict reveals that a hidden row exists`,
      'give the role a select rule for its own rows there',
    );
    return;
  }
  const example = hiddenInsert(subject, insert, select.filter);
  if (example === undefined) return;
  report.notice(
    'RG_INSERT_BEYOND_SELECT',
    insert.position,
    `${role.name} may insert rows into ${label(table)} that its select filter hides, and a mutation cannot return these`,
    `repeat the conditions of the select filter in the check, or fill the columns by set; hidden are, for example, ${example}`,
  );
}

/** Returns an example of inserted rows that the select filter hides. */
function hiddenInsert(
  { table, rows }: RuleSubject,
  insert: InsertRule,
  filter: BoolExp,
): string | undefined {
  const references = referenceConditions(insert.references, table);
  if (table.view || table.hasInsertTriggers || !references) return undefined;
  const counting = [...columnsThatCount([insert]), ...ownColumns(filter)];
  const inserted = insertedRows(insert, table, [...new Set(counting)]);
  if (!inserted) return undefined;
  const unknown = defaultColumns(insert, table);
  for (const part of conjuncts(filter)) {
    if (filterColumns(part).some((column) => unknown.has(column))) continue;
    const written = allOf([inserted, ...referencesAbout(part, references)]);
    const example = rows.beyond(table.key, written, part);
    if (example !== undefined) return example;
  }
  return undefined;
}

/** Returns the conditions on foreign keys that may matter for a condition. Without the others, equal comparisons are found. */
function referencesAbout(part: BoolExp, references: readonly BoolExp[]): readonly BoolExp[] {
  if (partsOf(part).some(leadsAway)) return references;
  const columns = filterColumns(part);
  return references.filter((one) => filterColumns(one).some((column) => columns.includes(column)));
}

/** Returns the columns that only the database fills in, so that nothing is known about their values. */
function defaultColumns(insert: InsertRule, table: TableModel): ReadonlySet<string> {
  const checked = ownColumns(insert.check);
  const known = new Set([...insert.columns, ...insert.presets.map(({ column }) => column)]);
  const filled = [...table.columns.values()].filter(
    ({ name, hasDefault, generated }) =>
      (hasDefault || generated) && !known.has(name) && !checked.has(name),
  );
  return new Set(filled.map(({ name }) => name));
}
