import type { Report } from '../../diagnostics.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { isWithin } from './is-within.ts';

interface Subject {
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  readonly report: Report;
}

/**
 * Reports rules that let a role update or delete rows that it may not see. They have less effect than their author may
 * expect: an UPDATE or DELETE with a WHERE reads rows, and Postgres then changes only rows that the select rule shows
 * (https://www.postgresql.org/docs/current/sql-createpolicy.html#SQL-CREATEPOLICY-SUMMARY).
 */
export function unseenWrites({ role, table, rules, report }: Subject): void {
  const name = `${table.schema}.${table.name}`;
  for (const [verb, rule] of [
    ['update', rules.update],
    ['delete', rules.delete],
  ] as const) {
    if (!rule || (rules.select && isWithin(rule.filter, rules.select.filter))) continue;
    report.warning(
      'RG_WRITE_BEYOND_SELECT',
      rule.position,
      rules.select
        ? `${role.name} may ${verb} rows of ${name} that its select filter may hide, and Postgres passes over hidden rows where a condition is given`
        : `${role.name} may ${verb} rows of ${name} but sees none, and Postgres passes over hidden rows where a condition is given`,
      rules.select
        ? 'repeat the conditions of the select filter here, or widen that one'
        : 'give the role a select rule there',
    );
  }
}
