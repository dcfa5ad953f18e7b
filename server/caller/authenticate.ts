import type { Request } from 'express';
import {
  headerOf,
  type Model,
  type RoleModel,
  type VariableName,
} from '../../permissions/index.ts';
import { secretCheck } from './secret-check.ts';
import type { WrongSecrets } from './wrong-secrets.ts';

/** Who asks: the role whose rules apply and the session variables that they read. */
export interface Caller {
  readonly role: RoleModel;
  /** The same for the same person or program, in whatever role; absent for whoever says nothing of who they are. */
  readonly identity?: string;
  /** The id of a person; absent for programs, which act for many. */
  readonly person?: string;
  /** By setting name after `gql.`; never empty values, never names outside the model. */
  readonly variables: ReadonlyMap<VariableName, string>;
  /** Whether rules that are `backend_only` count. */
  readonly isBackend: boolean;
  /** When the session or token ends that says so, if it ends by itself. */
  readonly expiresAt?: Date;
  /** Whether the answer's headers say who asks; for holders of the admin secret alone. */
  readonly isDebugging?: boolean;
}

/**
 * Codes of Hasura's: not let in, a variable that is not there, a header that cannot be read or means nothing, or a
 * role that nothing is open to.
 */
export type CallerErrorCode =
  | 'access-denied'
  | 'not-found'
  | 'invalid-headers'
  | 'invalid-jwt'
  | 'bad-request'
  | 'validation-failed';

/** A request whose caller cannot be told or may not be who it says. */
export class CallerError extends Error {
  readonly code: CallerErrorCode;

  constructor(code: CallerErrorCode, message: string) {
    super(message);
    this.name = 'CallerError';
    this.code = code;
  }
}

/** Headers by lower-case name, each with every value that was sent. */
export type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** One way of proving who asks; undefined where the request does not try this way. @throws CallerError */
export type Authenticator = (
  request: Request,
  model: Model,
) => Promise<Caller | undefined> | Caller | undefined;

/** The first authenticator that the request tries decides. @throws CallerError */
export async function identify(
  authenticators: readonly Authenticator[],
  request: Request,
  model: Model,
): Promise<Caller> {
  for (const authenticator of authenticators) {
    const caller = await authenticator(request, model);
    if (caller) return withRequired(caller, model.headerPrefix);
  }
  throw new CallerError(
    'access-denied',
    `${secretHeader(model.headerPrefix)} required, but not found`,
  );
}

/**
 * Trusts the role and variable headers of whoever holds the admin secret.
 * @param wrong counts wrong secrets and refuses those that are too many; absent: they are not counted
 */
export function adminSecretAuthenticator(adminSecret: string, wrong?: WrongSecrets): Authenticator {
  const isAdminSecret = secretCheck([adminSecret]);
  return async (request, model) => {
    const { headersDistinct: headers } = request;
    const prefix = model.headerPrefix.toLowerCase();
    const given = headerValue(headers, secretHeader(prefix));
    if (given === undefined) return undefined;
    if (!isAdminSecret(given)) {
      await wrong?.count(request);
      throw new CallerError('access-denied', `invalid ${secretHeader(prefix)}`);
    }
    return {
      role: lookUpRole(requestedRole(headers, prefix) ?? 'admin', model),
      identity: 'admin secret',
      variables: readVariables(headers, prefix, model),
      isBackend: readSwitch(headers, `${prefix}use-backend-only-permissions`),
      isDebugging: readSwitch(headers, `${prefix}debug`),
    };
  };
}

/** Takes requests that say nothing about who they are for those of one role, which gets no variable. */
export function unauthorizedAuthenticator(role: string): Authenticator {
  return ({ headersDistinct: headers }, model) => {
    const prefix = model.headerPrefix.toLowerCase();
    refuseVariables(headers, prefix);
    const requested = requestedRole(headers, prefix) ?? role;
    if (requested !== role) throw roleNotAllowed();
    return { role: lookUpRole(role, model), variables: new Map(), isBackend: false };
  };
}

/** The role that a request names; undefined where it names none. @throws CallerError */
export function requestedRole(headers: Headers, headerPrefix: string): string | undefined {
  return headerValue(headers, `${headerPrefix.toLowerCase()}role`);
}

/** For callers whose variables the server knows: refuses a request that brings any, or other powers. @throws CallerError */
export function refuseVariables(headers: Headers, headerPrefix: string): void {
  const prefix = headerPrefix.toLowerCase();
  const given = Object.keys(headers).find(
    (name) => name.startsWith(prefix) && !HARMLESS.includes(name.slice(prefix.length)),
  );
  if (given === undefined) return;
  throw new CallerError(
    'invalid-headers',
    `header "${given}" is for requests with the admin secret; leave it out`,
  );
}

// Without the secret, the wish for debugging changes nothing.
const HARMLESS = ['role', 'debug'];

/** The error of whoever names a role that is not among the own ones, whether or not there is such a role. */
export function roleNotAllowed(): CallerError {
  return new CallerError('access-denied', 'your requested role is not in allowed roles');
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

/** @throws CallerError */
export function lookUpRole(name: string, model: Model): RoleModel {
  const role = model.roles.get(name);
  // In Hasura such a role is one without rules, whose every field is unknown.
  if (!role) throw new CallerError('validation-failed', `role "${name}" does not exist`);
  return role;
}

function readVariables(
  headers: Headers,
  prefix: string,
  model: Model,
): ReadonlyMap<VariableName, string> {
  const variables = new Map<VariableName, string>();
  for (const name of model.variables) {
    const value = headerValue(headers, headerOf(name, prefix));
    if (value !== undefined && value !== '') variables.set(name, value);
  }
  return variables;
}

function readSwitch(headers: Headers, name: string): boolean {
  const value = headerValue(headers, name)?.toLowerCase();
  if (value === undefined || NO.includes(value)) return false;
  if (YES.includes(value)) return true;
  const [yes, no] = [YES, NO].map((words) => JSON.stringify(words));
  throw new CallerError(
    'bad-request',
    `${name}:  Not a valid boolean text. True values are ${yes} and  False values are ${no}. All values are case insensitive`,
  );
}

// Hasura's.
const YES = ['true', 't', 'yes', 'y'];
const NO = ['false', 'f', 'no', 'n'];

/**
 * The one value of a header. Node joins several with commas, and takes bytes for Latin-1: a rule that
 * excludes a value would then exclude nothing.
 */
function headerValue(headers: Headers, name: string): string | undefined {
  const [value, another] = headers[name] ?? [];
  if (another !== undefined)
    throw new CallerError('invalid-headers', `header "${name}" is sent twice`);
  if (value === undefined) return undefined;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    throw new CallerError('invalid-headers', `header "${name}" is not UTF-8`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function withRequired(caller: Caller, headerPrefix: string): Caller {
  for (const name of caller.role.requires) {
    if (!caller.variables.has(name)) throw missingVariable(name, headerPrefix);
  }
  return caller;
}
