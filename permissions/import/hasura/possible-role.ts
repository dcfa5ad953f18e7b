import { quote, unsafeCharacterIn } from '../../text/characters.ts';
import { reservedRoles } from '../../text/names.ts';
import type { ImportReport, Loss } from './import-report.ts';
import { type Cursor, text } from './input/cursor.ts';

/** Returns whether Rowgate allows a role with this name: it is not reserved, and a file can contain it. */
export function isRoleName(name: string): boolean {
  const isOurs = reservedRoles.has(name.toLowerCase());
  return name !== '' && !isOurs && unsafeCharacterIn(name) === undefined;
}

/**
 * Returns whether a role can have this name. A name that is not allowed is reported, because the import omits
 * everything about that role.
 */
export function isPossibleRole(cursor: Cursor, report: ImportReport, loss?: Loss): boolean {
  return isPossibleName(text(cursor), cursor, report, loss);
}

/** Does the same as `isPossibleRole` for a key of a map. */
export function isPossibleName(
  name: string,
  at: Cursor,
  report: ImportReport,
  loss: Loss = 'change',
): boolean {
  if (isRoleName(name)) return true;
  if (name === 'admin') {
    const message = 'what is said of the role "admin" is not needed, admin may do everything here';
    report.add('change', at, message);
    return false;
  }
  const message = `what is said of the role ${quote(name)} is left out, no role can be called so here`;
  report.add(loss, at, message);
  return false;
}
