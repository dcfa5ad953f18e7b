import type { RoleAccess } from '../access/table-access.ts';
import { takesSession } from '../model/functions/named-functions.ts';
import { executeApiFunction } from '../objects/api-functions/api-functions.ts';
import { schemaUsage } from '../objects/privileges/schema-usage.ts';
import { membershipObject } from '../objects/roles/membership.ts';
import {
  compiledRoles,
  type GatewayLogin,
  type RoleTarget,
  roleObject,
} from '../objects/roles/role.ts';
import type { DesiredObject } from '../objects/state/state-object.ts';
import { apiSchema, systemRoles } from '../text/object-names.ts';
import type { Model } from '../types/model.ts';
import { schemaGrants } from './grants.ts';

export interface CompileTarget extends RoleTarget {
  readonly login: GatewayLogin;
  /** Schemas that PUBLIC may use and on which Rowgate's owner may not grant USAGE. Roles need no grant on them. */
  readonly openSchemas: ReadonlySet<string>;
  /** Schemas that hold views for direct logins, by name of the role. */
  readonly viewSchemas: ReadonlyMap<string, string>;
}

/** Returns the Postgres roles of the metadata, and the rights of these roles that concern no single table. */
export function roleObjects(
  model: Model,
  accesses: readonly RoleAccess[],
  target: CompileTarget,
): readonly DesiredObject[] {
  const { gateway, policy } = systemRoles(model);
  const { login } = target;
  const roles = compiledRoles(model);
  return [
    ...[...roles, gateway, policy].map((name) => roleObject(name, false, target)),
    ...(login.managed ? [roleObject(login.name, true, target)] : []),
    ...[...roles, gateway].map((role) => membershipObject(role, login.name, target)),
    ...accesses.flatMap((access) => roleRights(access, target)),
    ...systemRights(policy, login),
    ...(takesSession(model) ? [...roles, policy] : []).map((role) =>
      executeApiFunction('session_variables', role),
    ),
  ];
}

function roleRights(access: RoleAccess, { openSchemas }: CompileTarget): readonly DesiredObject[] {
  const { postgresName } = access.role;
  const called = ['login_variable', 'session_variable', 'update_each', 'insert_else'] as const;
  return [
    ...schemaGrants(access, openSchemas),
    ...called.map((name) => executeApiFunction(name, postgresName)),
  ];
}

function systemRights(policyRole: string, login: GatewayLogin): readonly DesiredObject[] {
  const called = [
    ...(['applied_fingerprint', 'installation', 'applied_objects'] as const),
    ...(['live_changes', 'live_sweep', 'live_start'] as const),
  ];
  return [
    executeApiFunction('login_variable', policyRole),
    schemaUsage(apiSchema, login.name),
    ...called.map((name) => executeApiFunction(name, login.name)),
  ];
}
