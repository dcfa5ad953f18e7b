import { foundFingerprint } from './fingerprint.ts';
import { inspectFunctions } from './functions/inspect-functions.ts';
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

/** Policies first, and at once: they take Postgres longest, and the caller may have work to do meanwhile. */
const inspectors = [
  inspectPolicies,
  inspectMemberships,
  inspectSchemaUsage,
  inspectRowSecurity,
  inspectStatistics,
  inspectViews,
  inspectFunctions,
  inspectGrants,
  inspectExecutes,
  inspectTriggers,
];

/** Reads every object of our making that the database holds, after the roles. */
export async function inspectState({
  objects,
  context,
}: FoundRoles): Promise<readonly FoundObject[]> {
  const found = [...objects];
  for (const inspect of inspectors) found.push(...(await inspect(context)));
  return [...found, ...foundFingerprint(context.query.installation)];
}
