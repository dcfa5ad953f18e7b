import { inspectExecutes } from './execute.ts';
import { foundFingerprint } from './fingerprint.ts';
import { inspectGrants } from './grant.ts';
import { inspectFunctions } from './inspect-functions.ts';
import { inspectMemberships } from './membership.ts';
import { inspectPolicies } from './policy.ts';
import type { FoundRoles } from './role.ts';
import { inspectRowSecurity } from './row-security.ts';
import { inspectSchemaUsage } from './schema-usage.ts';
import type { FoundObject } from './state/state-object.ts';
import { inspectStatistics } from './statistics.ts';
import { inspectTriggers } from './trigger.ts';
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
