import { quote, unsafeCharacterIn } from '../../text/characters.ts';
import { reservedRoles } from '../../text/names.ts';
import type { ImportReport, Loss } from './import-report.ts';
import { type Cursor, text } from './input/cursor.ts';

/** Whether a role can be called so here: no name of ours, and one that a file of ours can hold. */
export function isRoleName(name: string): boolean {
  const isOurs = reservedRoles.has(name.toLowerCase());
  return name !== '' && !isOurs && unsafeCharacterIn(name) === undefined;
}

/** Whether a text is a name that a role can have here; what is said of another one is left out, which is reported. */
export function isPossibleRole(cursor: Cursor, report: ImportReport, loss?: Loss): boolean {
  return isPossibleName(text(cursor), cursor, report, loss);
}

/** As `isPossibleRole`, of the key that holds a value. */
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
