import type { Request } from 'express';
import type { Model } from '../../../../permissions/index.ts';
import { type Caller, CallerError, establishedVariables } from '../../../caller/authenticate.ts';
import { Refusal } from '../../../http/answers/problem.ts';
import { personCaller, personCallers, roleOfPerson } from '../../accounts/person-caller.ts';
import type { ApiKeyCaller, User } from '../../accounts/user.ts';

/**
 * Returns the callers that a person may act as: in the role that the header names, or without that header in each of
 * the person's roles, in the order of roles.yaml.
 * @throws Refusal 400 for a session variable in a header, 403 for a role that the person does not have
 */
export function callersOfPerson(request: Request, user: User, model: Model): readonly Caller[] {
  return orRefused(() => {
    const role = roleOfPerson(request.headersDistinct, model.headerPrefix);
    const callers =
      role === undefined ? personCallers(user, model) : [personCaller(user, role, model)];
    return callers.filter(hasRequired);
  });
}

/**
 * Returns the caller that a program acts as, in the role of its API key.
 * @throws Refusal 400 for a session variable in a header, 403 when the key has no usable role or the header names
 * another role
 */
export function callerOfKey(request: Request, key: ApiKeyCaller, model: Model): Caller {
  return orRefused(() => {
    const named = roleOfPerson(request.headersDistinct, model.headerPrefix);
    const role = key.role === undefined ? undefined : model.roles.get(key.role);
    if (!role || role.name === 'admin') throw missingRole('the API key has no role for reading');
    if (named !== undefined && named !== role.name) throw wrongRole();
    const known = new Map(
      key.organizationId === undefined ? [] : [['organization_id', key.organizationId]],
    );
    const caller = { role, ...establishedVariables(known, model), isBackend: false };
    if (hasRequired(caller)) return caller;
    throw missingRole(
      'the role of the API key needs session variables of a person or an organization',
    );
  });
}

function hasRequired({ role, variables }: Caller): boolean {
  return role.requires.every((name) => variables.has(name));
}

/** Converts a CallerError of the data API to a refusal of the REST API. */
function orRefused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CallerError)) throw error;
    if (error.code === 'access-denied') throw wrongRole();
    throw new Refusal({ status: 400, code: 'bad-request', detail: error.message });
  }
}

function missingRole(detail: string): Refusal {
  return new Refusal({
    status: 403,
    code: 'missing-role',
    detail: `${detail}; create a key with rowgate api-key create --role`,
  });
}

function wrongRole(): Refusal {
  const detail = 'the requested role may not be used here';
  return new Refusal({ status: 403, code: 'wrong-role', detail });
}
