import { quote } from '../../../text/characters.ts';
import { type Operation, operations } from '../../../types/rules.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportedRule } from '../imported.ts';
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
import type { TrackedTable } from '../track-tables.ts';
import type { FilterScope } from './translate-filter.ts';
import { translateRule } from './translate-rule.ts';

/** The context in which the permissions of one table are translated. */
export interface PermissionScope {
  readonly tables: ReadonlyMap<string, TrackedTable>;
  readonly headerPrefix: string;
  readonly report: ImportReport;
}

/**
 * Translates the permissions of a table to rules, sorted by role and command. A permission with a part that Rowgate
 * cannot express is omitted as a whole, because the remaining parts could permit more.
 */
export function translatePermissions(
  table: TrackedTable,
  scope: PermissionScope,
): readonly ImportedRule[] {
  const rules = operations.flatMap((command) => {
    const given = items(field(table.from, `${command}_permissions`));
    refuseTwice(given);
    return given.flatMap((cursor) => translatePermission(cursor, command, table, scope) ?? []);
  });
  return rules.toSorted((a, b) => compare(a.role, b.role));
}

function refuseTwice(permissions: readonly Cursor[]): void {
  const seen = new Set<string>();
  for (const permission of permissions) {
    const role = text(required(permission, 'role'));
    if (seen.has(role)) throw new UnreadableInput(permission, `role ${quote(role)} is there twice`);
    seen.add(role);
  }
}

function translatePermission(
  from: Cursor,
  command: Operation,
  table: TrackedTable,
  scope: PermissionScope,
): ImportedRule | undefined {
  const { report } = scope;
  const role = text(required(from, 'role'));
  const where = `${tableLabel(table)}, role ${quote(role)}, ${command}`;
  report.unknownKeys(members(from), ['role', 'permission', 'comment'], where);
  if (role === 'admin') {
    report.add('change', from, `${where}: not needed, admin may do everything here`);
    return undefined;
  }
  if (!isRoleName(role)) {
    const message = `${where}: no role can be called ${quote(role)} here`;
    report.add('permission', from, message, 'give the role another name in Hasura first');
    return undefined;
  }
  const gathered = gather(where, scope);
  const body = translateRule(required(from, 'permission'), command, table, gathered);
  if (gathered.report()) return undefined;
  const comment = field(from, 'comment');
  return { role, command, body, comment: comment && text(comment), from };
}

interface Gathered extends FilterScope {
  /**
   * Adds the collected findings to the report. Returns whether the rule must be omitted; in that case only the reasons
   * are reported.
   */
  report(): boolean;
}

/** Collects the findings about one rule until it is known whether the import must omit the rule. */
function gather(where: string, { tables, headerPrefix, report }: PermissionScope): Gathered {
  const refusals: (() => void)[] = [];
  const notes: (() => void)[] = [];
  return {
    tables,
    headerPrefix,
    refuse: (at, message, hint) =>
      refusals.push(() => report.add('permission', at, `${where}: ${message}`, hint)),
    note: (at, message, hint) =>
      notes.push(() => report.add('change', at, `${where}: ${message}`, hint)),
    report: () => {
      for (const add of refusals.length > 0 ? refusals : notes) add();
      return refusals.length > 0;
    },
  };
}

/** Compares texts by code units, so that the order is the same in every locale. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
