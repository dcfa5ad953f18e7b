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

/** Hasura's `inherited_roles`, in its order. Roles that cannot be called so here are left out. */
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

/** Tells what roles inherit by different rules, and so, as in Hasura, not at all. */
export function tellConflicts(
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

/** The different rules that a role has for a command: its own, or those that it inherits; of conflicting ones none. */
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
    // A circle, which is refused elsewhere.
    if (parent === role || below.includes(parent)) return [];
    const rules = rulesOf(parent, command, table, inheritingRoles, [...below, role]);
    return rules.length === 1 ? rules : [];
  });
  return [...new Set(found)];
}

function plainText(value: Plain): string {
  return JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part] : part));
}
