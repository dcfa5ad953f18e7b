import type pg from 'pg';
import type { Prepared } from '../apply/prepare.ts';
import { type Diagnostic, Report } from '../diagnostics.ts';
import { earlyTriggers } from './database/early-triggers.ts';
import { ownedObjects, schemaMakers, stackedLogins } from './database/extra-powers.ts';
import { foreignPolicies } from './database/foreign-policies.ts';
import type { DatabaseRule } from './database/inspection.ts';
import { openViews } from './database/open-views.ts';
import { foreignRoles, foreignTables, missingLogin, powerfulRoles } from './database/roles.ts';
import { writableSchemas } from './database/writable-schemas.ts';

const rules: readonly DatabaseRule[] = [
  foreignRoles,
  powerfulRoles,
  foreignTables,
  missingLogin,
  foreignPolicies,
  writableSchemas,
  ownedObjects,
  schemaMakers,
  stackedLogins,
  openViews,
  earlyTriggers,
];

/** What of the database forbids applying, or deserves a warning. Each error would let somebody around the rules. */
export async function databaseFindings(
  client: pg.ClientBase,
  prepared: Prepared,
): Promise<readonly Diagnostic[]> {
  const report = new Report();
  for (const rule of rules) await rule({ client, prepared, report });
  return report.diagnostics;
}
