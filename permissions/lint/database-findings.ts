import type pg from 'pg';
import type { Diagnostic } from '../diagnostics.ts';
import type { Seen } from '../plan/prepare.ts';
import { changedFunctions } from './database/changed-functions.ts';
import { changedViews } from './database/changed-views.ts';
import { parameters, schemaMakers } from './database/extra-privileges.ts';
import {
  calledFunctions,
  definerFunctions,
  foreignFunctions,
  leakproofFunctions,
} from './database/functions.ts';
import { foreignLoginSchemas, loginSchemaContent } from './database/login-schemas.ts';
import { bypass, grantsBeside, stackedLogins } from './database/logins.ts';
import {
  defaultPrivileges,
  openViews,
  unmanagedParents,
  unmanagedTables,
} from './database/open-relations.ts';
import { foreignTables, ownedObjects, ownObjects } from './database/owners.ts';
import {
  definerTriggers,
  earlyTriggers,
  foreignPolicies,
  rewriteRules,
} from './database/policies-and-triggers.ts';
import { foreignRoles, missingLogin, powerfulRoles } from './database/roles.ts';
import { settings } from './database/settings.ts';
import { temporaryObjects } from './database/temporary-objects.ts';
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
  foreignLoginSchemas,
  loginSchemaContent,
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

/** Returns the findings about the database. An error among them forbids apply, because it is a way around the rules. */
export async function databaseFindings(
  client: pg.ClientBase,
  seen: Seen,
): Promise<readonly Diagnostic[]> {
  return followRules(rules, client, seen);
}
