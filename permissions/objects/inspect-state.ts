import type pg from 'pg';
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
import { foundPolicies, type PolicyRow, readPolicies } from './tables/policy.ts';
import { inspectRowSecurity } from './tables/row-security.ts';
import { inspectStatistics } from './tables/statistics.ts';
import { inspectTriggers } from './tables/trigger.ts';
import { inspectViews } from './view.ts';

/** The objects that can be read before the roles and tables of the metadata are known. */
export interface StateAhead {
  readonly policies: readonly PolicyRow[];
  readonly views: readonly FoundObject[];
  readonly functions: readonly FoundObject[];
}

/**
 * Reads the objects that Postgres takes longest to print. Policies come first, because they are the most, and the caller
 * can compute meanwhile.
 */
export async function readStateAhead(client: pg.ClientBase): Promise<StateAhead> {
  return {
    policies: await readPolicies(client),
    views: await inspectViews(client),
    functions: await inspectFunctions(client),
  };
}

/** Functions that read each other kind of object. */
const inspectors = [
  inspectMemberships,
  inspectSchemaUsage,
  inspectRowSecurity,
  inspectStatistics,
  inspectLoginSchemas,
  inspectLoginViews,
  inspectGrants,
  inspectExecutes,
  inspectCopiedPrivileges,
  inspectTriggers,
];

/**
 * Reads every object that Rowgate made in the database, except the roles, which the caller has already read.
 * @param ahead the objects that were read before the roles, if the caller has read them
 */
export async function inspectState(
  { objects, context }: FoundRoles,
  ahead?: StateAhead,
): Promise<readonly FoundObject[]> {
  const { policies, views, functions } = ahead ?? (await readStateAhead(context.client));
  const found = [
    ...objects,
    ...foundPolicies(policies, context.query.tables),
    ...[...views, ...functions],
  ];
  for (const inspect of inspectors) found.push(...(await inspect(context)));
  return [...found, ...foundFingerprint(context.query.installation)];
}
