import type { Model, RoleModel, VariableName } from '../../../permissions/index.ts';
import {
  type Caller,
  establishedVariables,
  type Headers,
  refuseVariables,
  requestedRole,
  roleNotAllowed,
} from '../../caller/authenticate.ts';
import type { User } from './user.ts';

/**
 * Returns the role that a person's request names; undefined if the request names no role.
 * @throws CallerError if the request also sets session variables, because the server sets the variables of signed-in
 * people
 */
export function roleOfPerson(headers: Headers, headerPrefix: string): string | undefined {
  refuseVariables(headers, headerPrefix);
  return requestedRole(headers, headerPrefix);
}

/**
 * Makes the caller for a person in one of the person's roles.
 * @throws CallerError for any other role
 */
export function personCaller(user: User, role: string, model: Model): Caller {
  return {
    role: ownRole(role, user, model),
    identity: `person ${user.id}`,
    person: user.id,
    ...variablesOf(user, model),
    isBackend: false,
  };
}

/** Makes one caller for each role of a person, in the order of roles.yaml. */
export function personCallers(user: User, model: Model): readonly Caller[] {
  return [...model.roles.keys()]
    .filter((name) => user.roles.includes(name) && name !== 'admin')
    .map((name) => personCaller(user, name, model));
}

/** Finds a role of a person. The error is the same for roles that do not exist. */
function ownRole(name: string, user: User, model: Model): RoleModel {
  const role = user.roles.includes(name) ? model.roles.get(name) : undefined;
  // The role admin requires the admin secret, even when the database lists it among a person's roles.
  if (!role || name === 'admin') throw roleNotAllowed();
  return role;
}

/** The session variables that the server sets for signed-in people, without a header. */
export const personVariables: Readonly<Record<VariableName, (user: User) => string>> = {
  user_id: (user) => user.id,
  organization_id: (user) => user.organizationId,
  allowed_funds: (user) => `{${user.allowedFunds.join(',')}}`,
};

function variablesOf(user: User, model: Model): Pick<Caller, 'variables' | 'session'> {
  const all = Object.entries(personVariables).map(([name, read]) => [name, read(user)] as const);
  return establishedVariables(new Map(all), model);
}
