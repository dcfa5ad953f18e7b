import type pg from 'pg';
import type { Diagnostic } from '../diagnostics.ts';
import type { Seen } from '../plan/prepare.ts';
import { bypass } from './database/bypass.ts';
import { calledFunctions } from './database/called-functions.ts';
import { changedFunctions } from './database/changed-functions.ts';
import { changedViews } from './database/changed-views.ts';
import { defaultPrivileges } from './database/default-privileges.ts';
import { definerFunctions } from './database/definer-functions.ts';
import { earlyTriggers } from './database/early-triggers.ts';
import {
  grantsBeside,
  ownedObjects,
  schemaMakers,
  stackedLogins,
} from './database/extra-powers.ts';
import { foreignFunctions, leakproofFunctions } from './database/foreign-functions.ts';
import { foreignPolicies } from './database/foreign-policies.ts';
import { openViews } from './database/open-views.ts';
import { ownObjects } from './database/own-objects.ts';
import { parameters } from './database/parameters.ts';
import { foreignRoles, foreignTables, missingLogin, powerfulRoles } from './database/roles.ts';
import { settings } from './database/settings.ts';
import { definerTriggers, rewriteRules } from './database/table-code.ts';
import { temporaryObjects } from './database/temporary-objects.ts';
import { unmanagedParents } from './database/unmanaged-parents.ts';
import { unmanagedTables } from './database/unmanaged-tables.ts';
import { writableSchemas } from './database/writable-schemas.ts';
import { type DatabaseRule, followRules } from './inspection.ts';
import { revealingUpserts } from './table/revealing-upserts.ts';

const rules: readonly DatabaseRule[] = [
  foreignRoles,
  powerfulRoles,
  foreignTables,
  missingLogin,
  foreignPolicies,
  writableSchemas,
  ownedObjects,
  ownObjects,
  parameters,
  schemaMakers,
  stackedLogins,
  grantsBeside,
  bypass,
  settings,
  openViews,
  changedViews,
  changedFunctions,
  unmanagedTables,
  unmanagedParents,
  defaultPrivileges,
  definerFunctions,
  definerTriggers,
  rewriteRules,
  foreignFunctions,
  leakproofFunctions,
  calledFunctions,
  temporaryObjects,
  revealingUpserts,
  earlyTriggers,
];

/** What of the database forbids applying, or deserves a warning. Each error would let somebody around the rules. */
export async function databaseFindings(
  client: pg.ClientBase,
  seen: Seen,
): Promise<readonly Diagnostic[]> {
  return followRules(rules, client, seen);
}
