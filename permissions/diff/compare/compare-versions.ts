import { type Change, rankChanges } from '../change.ts';
import type { Version } from '../load/version.ts';
import { compareOperations } from './operations.ts';
import { compareRoleTables } from './role-tables.ts';
import { compareRoles } from './roles.ts';
import { makeScope } from './scope.ts';
import { compareSettings } from './settings.ts';
import { compareTables } from './tables.ts';

/**
 * Compares the meaning of two versions of the metadata. Comments, order, named filters and other ways to write the same
 * are no difference, except that a condition written differently is reported as safe.
 * @returns the changes, heaviest first
 */
export function compareVersions(before: Version, after: Version): readonly Change[] {
  const scope = makeScope(before, after);
  return rankChanges([
    ...compareSettings(scope),
    ...compareRoles(scope),
    ...compareRoleTables(scope),
    ...compareTables(scope),
    ...compareOperations(scope),
  ]);
}
