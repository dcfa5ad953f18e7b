import {
  didYouMean,
  headerOf,
  type Model,
  type RoleModel,
  RowgateError,
  type VariableName,
} from '../../permissions/index.ts';
import type { CallerRequest } from './caller-request.ts';
import { KnownCallers, onlyValue } from './known-callers.ts';
import { secretCheck } from './secret-check.ts';
import type { WrongSecrets } from './wrong-secrets.ts';

/** The sender of a request: the role whose rules apply, and the session variables that the rules read. */
export interface Caller {
  readonly role: RoleModel;
  /** Identifies a person or program in all of its roles; absent for anonymous callers. */
  readonly identity?: string;
  /** The id of a person; absent for programs, which act for many people. */
  readonly person?: string;
  /**
   * Session variables by the name of their Postgres setting after `gql.`. Contains only variables of the model with a
   * value that is not empty.
   */
  readonly variables: ReadonlyMap<VariableName, string>;
  /**
   * All session variables that the authenticator has established, by header name in lower case, without the role.
   * Functions and action handlers receive them; rules never read them. Absent: those of `variables`.
   */
  readonly session?: ReadonlyMap<string, string> | undefined;
  /** Whether rules marked `backend_only` apply. They are meant for trusted back ends, which send the admin secret. */
  readonly isBackend: boolean;
  /** When the caller's session or token expires; absent when it does not expire. */
  readonly expiresAt?: Date;
  /** Whether response headers describe the caller; only for requests with the admin secret. */
  readonly isDebugging?: boolean;
}

/**
 * Hasura's error codes. They stand for a missing or wrong credential, a missing session variable, an invalid header, an
 * invalid token or claim, and an unknown role.
 */
export type CallerErrorCode =
  | 'access-denied'
  | 'not-found'
  | 'invalid-headers'
  | 'invalid-jwt'
  | 'jwt-invalid-claims'
  | 'jwt-missing-role-claims'
  | 'bad-request'
  | 'validation-failed';

/** The caller of a request cannot be identified, or may not use the requested role. */
export class CallerError extends RowgateError<undefined, CallerErrorCode> {
  override readonly name = 'CallerError';
  override readonly code: CallerErrorCode;

  constructor(code: CallerErrorCode, message: string) {
    super(message, undefined);
    this.code = code;
  }
}

/** The caller cannot be identified at the moment, because another service fails. The code that throws it logs the cause. */
export class CallerOutage extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CallerOutage';
  }
}

/** Headers by lower-case name, each with all values that were sent. */
export type Headers = Readonly<Record<string, readonly string[] | undefined>>;

/** Identifies the caller by one kind of credential; undefined when the request carries none. @throws CallerError */
export type Authenticator = (
  request: CallerRequest,
  model: Model,
) => Promise<Caller | undefined> | Caller | undefined;

/** A request of which an endpoint has found the sender already, by a credential that only this endpoint accepts. */
export interface AdmittedRequest {
  /** Identifies the caller in place of all other authenticators. */
  readonly authenticator?: Authenticator;
}

/** Identifies the caller by the first authenticator that finds its kind of credential. @throws CallerError */
export async function identify(
  authenticators: readonly Authenticator[],
  request: CallerRequest & AdmittedRequest,
  model: Model,
): Promise<Caller> {
  const { authenticator: only } = request;
  for (const authenticator of only ? [only] : authenticators) {
    const found = authenticator(request, model);
    // A caller that is known at once needs no further turn of the queue of promises.
    const caller = found instanceof Promise ? await found : found;
    if (caller) return withRequiredVariables(caller, model.headerPrefix);
  }
  throw missingCredential(request, model);
}

/** Makes the error for a request without any credential. */
export function missingCredential(request: CallerRequest, model: Model): CallerError {
  return new CallerError('access-denied', missingSecret(request, model));
}

function missingSecret({ headersDistinct }: CallerRequest, { headerPrefix }: Model): string {
  const problem = `${secretHeader(headerPrefix)} required, but not found`;
  const other = Object.keys(headersDistinct).find((name) => name.endsWith('-admin-secret'));
  return other === undefined
    ? problem
    : `${problem}; the request has ${other}: rename its headers, or set ROWGATE_HEADER_PREFIX on the server`;
}

/**
 * Accepts requests with the admin secret and trusts their role and variable headers.
 * @param wrong counts wrong secrets and refuses too many of them; absent: wrong secrets are not counted
 */
export function adminSecretAuthenticator(adminSecret: string, wrong?: WrongSecrets): Authenticator {
  const isAdminSecret = secretCheck([adminSecret]);
  const known = new KnownCallers<Model, Caller>();
  const refuse = async (request: CallerRequest, header: string) => {
    await wrong?.count(request);
    throw new CallerError('access-denied', `invalid ${header}`);
  };
  return (request, model) => {
    const header = secretHeader(model.headerPrefix);
    const sent = onlyValue(request.headers, header);
    // Node takes long to list the values of all headers, and most requests send each of them once.
    const given =
      sent === undefined ? headerValue(request.headersDistinct, header) : decode(sent, header);
    if (given === undefined) return undefined;
    if (!isAdminSecret(given)) return refuse(request, header);
    return known.find(request, model, () => callerWith(request.headersDistinct, model));
  };
}

/**
 * Makes the caller that a holder of the admin secret names, from a role and session variables by the names of their
 * headers. @throws CallerError
 */
export function trustedCaller(user: Readonly<Record<string, string>>, model: Model): Caller {
  const headers = Object.entries(user).map(([name, value]) => [name.toLowerCase(), [value]]);
  return callerWith(Object.fromEntries(headers), model);
}

/**
 * Makes the caller that a holder of the admin secret names in the headers of a request with the prefix.
 * @throws CallerError
 */
export function callerWith(headers: Headers, model: Model): Caller {
  const prefix = model.headerPrefix.toLowerCase();
  const values = valuesWith(headers, prefix);
  return {
    role: lookUpRole(values.get(`${prefix}role`) ?? 'admin', model),
    identity: 'admin secret',
    ...variablesOf(values, prefix, model),
    isBackend: readSwitch(values, `${prefix}use-backend-only-permissions`),
    isDebugging: readSwitch(values, `${prefix}debug`),
  };
}

/** Accepts requests without credentials as callers of one role, without session variables. */
export function unauthorizedAuthenticator(role: string): Authenticator {
  return ({ headersDistinct: headers }, model) => {
    const prefix = model.headerPrefix.toLowerCase();
    refuseVariables(headers, prefix);
    const requested = requestedRole(headers, prefix) ?? role;
    if (requested !== role) throw roleNotAllowed();
    return { role: lookUpRole(role, model), variables: new Map(), isBackend: false };
  };
}

/** Returns the role that a request names, or undefined when it names none. @throws CallerError */
export function requestedRole(headers: Headers, headerPrefix: string): string | undefined {
  return headerValue(headers, `${headerPrefix.toLowerCase()}role`);
}

/** Refuses headers that only requests with the admin secret may send, such as session variables. @throws CallerError */
export function refuseVariables(headers: Headers, headerPrefix: string): void {
  const prefix = headerPrefix.toLowerCase();
  const given = Object.keys(headers).find(
    (name) => name.startsWith(prefix) && !IGNORED_HEADERS.includes(name.slice(prefix.length)),
  );
  if (given === undefined) return;
  throw new CallerError(
    'invalid-headers',
    `header "${given}" is for requests with the admin secret; leave it out`,
  );
}

// Headers with the prefix that are not session variables: `role`, which the authenticators read directly, and `debug`,
// which has no effect without the admin secret.
const IGNORED_HEADERS = ['role', 'debug'];

/**
 * Makes the error for a requested role that the caller does not have. The error is the same when the role does not
 * exist, so that it does not reveal which roles exist.
 */
export function roleNotAllowed(): CallerError {
  return new CallerError('access-denied', 'your requested role is not in allowed roles');
}

/** Makes the error for a session variable that a rule or role needs and the request lacks. */
export function missingVariable(variable: VariableName, headerPrefix: string): CallerError {
  return new CallerError(
    'not-found',
    `missing session variable: "${headerOf(variable, headerPrefix)}"`,
  );
}

function secretHeader(headerPrefix: string): string {
  return `${headerPrefix.toLowerCase()}admin-secret`;
}

/** Finds a role by its name. @throws CallerError */
export function lookUpRole(name: string, model: Model): RoleModel {
  const role = model.roles.get(name);
  // Hasura treats an unknown role as a role without rules, for which every field is unknown.
  if (role) return role;
  const near = didYouMean(name, model.roles.keys());
  const hint = near === undefined ? '' : `; ${near}`;
  throw new CallerError('validation-failed', `role "${name}" does not exist${hint}`);
}

/** Makes the session variables of a caller from claims, which have full lower-case names that begin with `prefix`. */
export function variablesOf(
  claims: ReadonlyMap<string, string>,
  prefix: string,
  { variables: names, headerPrefix }: Model,
): Pick<Caller, 'variables' | 'session'> {
  const variables = new Map<VariableName, string>();
  for (const name of names) {
    const value = claims.get(headerOf(name, prefix));
    if (value !== undefined && value !== '') variables.set(name, value);
  }
  const session = new Map<string, string>();
  const ownPrefix = headerPrefix.toLowerCase();
  for (const [name, value] of claims) {
    const rest = name.slice(prefix.length);
    if (value === '' || NO_VARIABLES.includes(rest)) continue;
    session.set(prefix === ownPrefix ? name : `${ownPrefix}${rest}`, value);
  }
  return { variables, session };
}

/** Makes the session variables of a caller, of values by the name of their Postgres setting after `gql.`. */
export function establishedVariables(
  values: ReadonlyMap<VariableName, string>,
  model: Model,
): Pick<Caller, 'variables' | 'session'> {
  const { headerPrefix } = model;
  const claims = [...values].map(([name, value]) => [headerOf(name, headerPrefix), value] as const);
  return variablesOf(new Map(claims), headerPrefix.toLowerCase(), model);
}

/**
 * Returns the role and all session variables of a caller by header name in lower case, as functions and action handlers
 * receive them.
 */
export function sessionOf(
  role: string,
  { variables, session }: Pick<Caller, 'variables' | 'session'>,
  headerPrefix: string,
): Readonly<Record<string, string>> {
  const known = [...variables].map(([name, value]) => [headerOf(name, headerPrefix), value]);
  const roleName = `${headerPrefix.toLowerCase()}role`;
  return Object.fromEntries([[roleName, role], ...(session ?? known)]);
}

/** Names after the prefix that are no session variables. */
const NO_VARIABLES = ['role', 'admin-secret', 'debug', 'use-backend-only-permissions'];

/** Finds the role of a caller without the admin secret. @throws CallerError for the role admin and for unknown roles */
export function lookUpClaimedRole(name: string, model: Model): RoleModel {
  if (name !== 'admin') return lookUpRole(name, model);
  throw new CallerError('access-denied', 'the role "admin" requires the admin secret');
}

/** Returns the values of all headers with the prefix, by name. */
function valuesWith(headers: Headers, prefix: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const name of Object.keys(headers)) {
    if (name.startsWith(prefix)) values.set(name, headerValue(headers, name) ?? '');
  }
  return values;
}

function readSwitch(values: ReadonlyMap<string, string>, name: string): boolean {
  const value = values.get(name)?.toLowerCase();
  if (value === undefined || NO.includes(value)) return false;
  if (YES.includes(value)) return true;
  const [yes, no] = [YES, NO].map((words) => JSON.stringify(words));
  throw new CallerError(
    'bad-request',
    `${name}:  Not a valid boolean text. True values are ${yes} and  False values are ${no}. All values are case insensitive`,
  );
}

// The values that Hasura accepts as true.
const YES = ['true', 't', 'yes', 'y'];
const NO = ['false', 'f', 'no', 'n'];

/**
 * Returns the value of a header that may be sent only once, decoded as UTF-8. Node would join the values of a repeated
 * header by commas and decode bytes as Latin-1. A rule that excludes a value would then compare with a changed text, so
 * a caller could bypass the rule.
 */
export function headerValue(headers: Headers, name: string): string | undefined {
  const [value, another] = headers[name] ?? [];
  if (another !== undefined)
    throw new CallerError('invalid-headers', `header "${name}" is sent twice`);
  return value === undefined ? undefined : decode(value, name);
}

/** Decodes the value of a header as UTF-8. @throws CallerError */
function decode(value: string, name: string): string {
  // ASCII is the same in both encodings.
  if (ascii.test(value)) return value;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    throw new CallerError('invalid-headers', `header "${name}" is not UTF-8`);
  }
}

const ascii = /^[ -~]*$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function withRequiredVariables(caller: Caller, headerPrefix: string): Caller {
  for (const name of caller.role.requires) {
    if (!caller.variables.has(name)) throw missingVariable(name, headerPrefix);
  }
  return caller;
}
