import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { headerOf, type Model, type RoleModel, type VariableName } from '../permissions/index.ts';

/** Who asks: the role whose rules apply and the session variables that they read. */
export interface Caller {
  readonly role: RoleModel;
  /** By setting name after `gql.`; never empty values, never names outside the model. */
  readonly variables: ReadonlyMap<VariableName, string>;
}

/** Codes of Hasura's: not let in, or a variable that is not there. */
export type CallerErrorCode = 'access-denied' | 'not-found';

/** A request whose caller cannot be told or may not be who it says. */
export class CallerError extends Error {
  readonly code: CallerErrorCode;

  constructor(code: CallerErrorCode, message: string) {
    super(message);
    this.name = 'CallerError';
    this.code = code;
  }
}

/** One way of proving who asks; undefined where the request does not try this way. */
export type Authenticator = (headers: IncomingHttpHeaders, model: Model) => Caller | undefined;

/** The first authenticator that the request tries decides. */
export function identify(
  authenticators: readonly Authenticator[],
  headers: IncomingHttpHeaders,
  model: Model,
): Caller {
  for (const authenticator of authenticators) {
    const caller = authenticator(headers, model);
    if (caller) return withRequired(caller, model.headerPrefix);
  }
  throw new CallerError(
    'access-denied',
    `${secretHeader(model.headerPrefix)} required, but not found`,
  );
}

/** Trusts the role and variable headers of whoever holds the admin secret. */
export function adminSecretAuthenticator(adminSecret: string): Authenticator {
  const expected = digest(adminSecret);
  return (headers, model) => {
    const prefix = model.headerPrefix.toLowerCase();
    const given = headers[secretHeader(prefix)];
    if (given === undefined) return undefined;
    if (!timingSafeEqual(digest(String(given)), expected)) {
      throw new CallerError('access-denied', `invalid ${secretHeader(prefix)}`);
    }
    return {
      role: lookUpRole(headers[`${prefix}role`], model),
      variables: readVariables(headers, prefix, model),
    };
  };
}

/** The error of a rule or role that reads a variable which the request does not carry. */
export function missingVariable(variable: VariableName, headerPrefix: string): CallerError {
  return new CallerError(
    'not-found',
    `missing session variable: "${headerOf(variable, headerPrefix)}"`,
  );
}

function secretHeader(headerPrefix: string): string {
  return `${headerPrefix.toLowerCase()}admin-secret`;
}

// Hashed first, so that the comparison's time tells nothing about the secret's length either.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function lookUpRole(header: string | string[] | undefined, model: Model): RoleModel {
  const name = header === undefined ? 'admin' : String(header);
  const role = model.roles.get(name);
  if (!role) throw new CallerError('access-denied', `role "${name}" does not exist`);
  return role;
}

function readVariables(
  headers: IncomingHttpHeaders,
  prefix: string,
  model: Model,
): ReadonlyMap<VariableName, string> {
  const variables = new Map<VariableName, string>();
  for (const name of model.variables) {
    const value = headers[headerOf(name, prefix)];
    if (value !== undefined && value !== '') variables.set(name, String(value));
  }
  return variables;
}

function withRequired(caller: Caller, headerPrefix: string): Caller {
  for (const name of caller.role.requires) {
    if (!caller.variables.has(name)) throw missingVariable(name, headerPrefix);
  }
  return caller;
}
