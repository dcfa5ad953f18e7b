import { foundFingerprint } from './fingerprint.ts';
import { inspectFunctions } from './functions/inspect-functions.ts';
import { inspectLoginSchemas } from './login-schema.ts';
import { inspectLoginViews } from './login-view.ts';
import { inspectCopiedPrivileges } from './privileges/copied-privilege.ts';
import { inspectExecutes } from './privileges/execute.ts';
import { inspectGrants } from './privileges/grant.ts';
import { inspectSchemaUsage } from './privileges/schema-usage.ts';
import { inspectMemberships } from './roles/membership.ts';
import type { FoundRoles } from './roles/role.ts';
import type { FoundObject } from './state/state-object.ts';
import { inspectPolicies } from './tables/policy.ts';
import { inspectRowSecurity } from './tables/row-security.ts';
import { inspectStatistics } from './tables/statistics.ts';
import { inspectTriggers } from './tables/trigger.ts';
import { inspectViews } from './view.ts';

/**
 * Functions that read each kind of object. Policies come first, because Postgres takes longest to read them, and the
 * caller can compute meanwhile.
 */
const inspectors = [
  inspectPolicies,
  inspectMemberships,
  inspectSchemaUsage,
  inspectRowSecurity,
  inspectStatistics,
  inspectLoginSchemas,
  inspectLoginViews,
  inspectViews,
  inspectFunctions,
  inspectGrants,
  inspectExecutes,
  inspectCopiedPrivileges,
  inspectTriggers,
];

/** Reads every object that Rowgate made in the database, except the roles, which the caller has already read. */
export async function inspectState({
  objects,
  context,
}: FoundRoles): Promise<readonly FoundObject[]> {
  const found = [...objects];
  for (const inspect of inspectors) found.push(...(await inspect(context)));
  return [...found, ...foundFingerprint(context.query.installation)];
}
