import type { Model, RoleModel, VariableName } from '../../../permissions/index.ts';
import {
  type Caller,
  type Headers,
  refuseVariables,
  requestedRole,
  roleNotAllowed,
} from '../../caller/authenticate.ts';
import type { User } from './user.ts';

/**
 * Returns the role that a person's request names; undefined if it names none.
 * @throws CallerError if the request also sets session variables: the server derives those of signed-in people
 */
export function roleOfPerson(headers: Headers, headerPrefix: string): string | undefined {
  refuseVariables(headers, headerPrefix);
  return requestedRole(headers, headerPrefix);
}

/** A person in one of their own roles. @throws CallerError where the role is not among them */
export function personCaller(user: User, role: string, model: Model): Caller {
  return {
    role: ownRole(role, user, model),
    identity: `person ${user.id}`,
    person: user.id,
    variables: variablesOf(user, model),
    isBackend: false,
  };
}

/** A person in each of their roles, in the order of roles.yaml. */
export function personCallers(user: User, model: Model): readonly Caller[] {
  return [...model.roles.keys()]
    .filter((name) => user.roles.includes(name) && name !== 'admin')
    .map((name) => personCaller(user, name, model));
}

/** One and the same error, whether or not there is such a role. */
function ownRole(name: string, user: User, model: Model): RoleModel {
  const role = user.roles.includes(name) ? model.roles.get(name) : undefined;
  // Everything on every table is for the admin secret alone, whatever stands among somebody's roles.
  if (!role || name === 'admin') throw roleNotAllowed();
  return role;
}

/** The session variables that callers have by signing in or by a token, without a header. */
export const personVariables: Readonly<Record<VariableName, (user: User) => string>> = {
  user_id: (user) => user.id,
  organization_id: (user) => user.organizationId,
  allowed_funds: (user) => `{${user.allowedFunds.join(',')}}`,
};

function variablesOf(user: User, model: Model): ReadonlyMap<VariableName, string> {
  const used = Object.entries(personVariables).filter(([name]) => model.variables.includes(name));
  return new Map(used.map(([name, read]) => [name, read(user)]));
}
