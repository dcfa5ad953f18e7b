import { type Diagnostic, Report } from '../diagnostics.ts';
import { textOf } from '../diff/compare/scope.ts';
import { markAccepted } from '../lint/accepted-findings.ts';
import type { LoadedModel } from '../model/load-model.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { Model, RoleModel } from '../types/model.ts';
import type { Steps } from '../types/steps.ts';
import {
  allRowsDeclared,
  reportAllRows,
  type UndeclaredRules,
  undeclaredRules,
} from './all-rows.ts';
import { insertsBeyondSelect, writesBeyondSelect } from './hidden-writes.ts';
import { idleRoles } from './idle-roles.ts';
import { movedRows } from './moved-rows.ts';
import { notLive } from './not-live.ts';
import { repeatedFilters } from './repeated-filters.ts';
import { repeatedItems } from './repeated-items.ts';
import { RowComparer } from './row-comparer.ts';
import type { RuleSubject } from './rule-subject.ts';

/**
 * Returns what a careful reader of the rules would ask about: rows that a role writes but does not see, rows that leave
 * the rows of their caller, rules for every row, roles without rules, tables to watch that are not live, and
 * repetitions. It needs no database. A comparison of conditions that cannot be decided gives no finding. A step reviews
 * the rules of one role on one table.
 */
export function* reviewFindings(loaded: LoadedModel): Steps<readonly Diagnostic[]> {
  const report = new Report();
  const declared = allRowsDeclared(loaded);
  const open: UndeclaredRules[] = [];
  for (const subject of subjectsOf(loaded.model, report)) {
    writesBeyondSelect(subject);
    insertsBeyondSelect(subject);
    movedRows(subject);
    const undeclared = undeclaredRules(subject, declared);
    if (undeclared) open.push(undeclared);
    yield;
  }
  reportAllRows(open, declared, loaded);
  idleRoles(loaded, report);
  notLive(loaded, report);
  yield;
  repeatedFilters(loaded, report);
  yield;
  repeatedItems(loaded, report);
  return markAccepted(report.diagnostics, loaded.accepted);
}

function subjectsOf(model: Model, report: Report): readonly RuleSubject[] {
  const rows = new RowComparer(model);
  const known = new Set<string>();
  const isInherited = [...model.roles.values()].some(({ inherits }) => inherits.length > 0);
  const isNew = (...parts: readonly unknown[]) => {
    if (!isInherited) return true;
    const key = JSON.stringify(parts, (_name, value: unknown) =>
      isExpression(value) ? textOf(value) : value,
    );
    const isFirst = !known.has(key);
    known.add(key);
    return isFirst;
  };
  return parentsFirst(model).flatMap((role) =>
    [...role.tables].flatMap(([key, rules]) => {
      const table = model.tables.get(key);
      return table ? [{ model, role, table, rules, rows, report, isNew }] : [];
    }),
  );
}

function isExpression(value: unknown): value is BoolExp {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** Returns the roles without admin, each after the roles that it inherits from. */
function parentsFirst({ roles }: Model): readonly RoleModel[] {
  const ordered = new Set<RoleModel>();
  const add = (role: RoleModel) => {
    for (const parent of role.inherits) {
      const found = roles.get(parent);
      if (found) add(found);
    }
    ordered.add(role);
  };
  for (const role of roles.values()) if (role.name !== 'admin') add(role);
  return [...ordered];
}
