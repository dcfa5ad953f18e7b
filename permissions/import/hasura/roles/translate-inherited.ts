import { quote } from '../../../text/characters.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportedInheritingRole, ImportedTable, Plain } from '../imported.ts';
import {
  type Cursor,
  field,
  items,
  members,
  required,
  text,
  UnreadableInput,
} from '../input/cursor.ts';
import { isRoleName } from '../possible-role.ts';
import { tableLabel } from '../table-name.ts';

/** Translates Hasura's `inherited_roles`, in order. Omits roles whose names Rowgate does not allow. */
export function translateInherited(
  root: Cursor,
  report: ImportReport,
): readonly ImportedInheritingRole[] {
  const seen = new Set<string>();
  return items(field(root, 'inherited_roles')).flatMap((from) => {
    const role = text(required(from, 'role_name'));
    const where = `the inherited role ${quote(role)}`;
    if (seen.has(role)) throw new UnreadableInput(from, `role ${quote(role)} is there twice`);
    seen.add(role);
    report.unknownKeys(members(from), ['role_name', 'role_set', 'comment'], where);
    if (!isRoleName(role)) {
      const message = `${where}: no role can be called so here`;
      report.add('permission', from, message, 'give the role another name in Hasura first');
      return [];
    }
    const inherits = items(required(from, 'role_set')).flatMap((parent) => {
      const name = text(parent);
      if (isRoleName(name)) return [name];
      const message = `${where} cannot inherit from ${quote(name)} here`;
      report.add('permission', parent, message, 'let it inherit from another role');
      return [];
    });
    return inherits.length > 0 ? [{ role, inherits: [...new Set(inherits)], from }] : [];
  });
}

const written = ['insert', 'update', 'delete'] as const;

/**
 * Reports rules that an inheriting role gets from its parents in different versions. Neither Hasura nor Rowgate applies
 * such rules, so the role does not get the permission.
 */
export function reportConflicts(
  inheritingRoles: readonly ImportedInheritingRole[],
  tables: readonly ImportedTable[],
  report: ImportReport,
): void {
  for (const { role, from } of inheritingRoles) {
    for (const table of tables) {
      for (const command of written) {
        if (rulesOf(role, command, table, inheritingRoles).length < 2) continue;
        const message = `the inherited role ${quote(role)} may not ${command} on ${tableLabel(table)}: the rules that it inherits differ`;
        report.add('change', from, message, 'write a rule of its own for it');
      }
    }
  }
}

type Command = (typeof written)[number];

/**
 * Returns the rules of a role on a table for one command: its own rule, or the different rules that it inherits. A
 * parent whose own inherited rules conflict contributes none.
 */
function rulesOf(
  role: string,
  command: Command,
  table: ImportedTable,
  inheritingRoles: readonly ImportedInheritingRole[],
  below: readonly string[] = [],
): readonly string[] {
  const own = table.rules.find((rule) => rule.role === role && rule.command === command);
  if (own) return [plainText(own.body)];
  const parents =
    inheritingRoles.find((inheritingRole) => inheritingRole.role === role)?.inherits ?? [];
  const found = parents.flatMap((parent) => {
    // The recursion stops at a circle of roles, which another check refuses.
    if (parent === role || below.includes(parent)) return [];
    const rules = rulesOf(parent, command, table, inheritingRoles, [...below, role]);
    return rules.length === 1 ? rules : [];
  });
  return [...new Set(found)];
}

function plainText(value: Plain): string {
  return JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part] : part));
}
