import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { type Caller, CallerError, type Headers, identify } from '../../../caller/authenticate.ts';
import type { CallerRequest } from '../../../caller/caller-request.ts';
import { rereadSession } from '../../../caller/reread-session.ts';
import type { Dialect } from '../../handle-request.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { RequestError } from '../../request-error.ts';

export interface SocketCallerOptions {
  /** Reads the session of requests that carry its cookie; absent when there are no sessions. */
  readonly readSession: RequestHandler | undefined;
  /** Headers with credentials besides Authorization that clients may send in `connection_init`, in lower case. */
  readonly credentialHeaders: readonly string[];
  /** Returns the dialect that is served currently. */
  readonly dialect: () => Dialect;
}

/** The parts of an upgrade request that identify its caller. The whole request would occupy 5 KiB for each idle socket. */
export interface UpgradeParts extends Omit<CallerRequest, 'method' | 'body'> {
  readonly url: string;
  readonly originalUrl: string;
  readonly socket: Socket;
  /** The methods of a request in Express. */
  readonly methods: object;
}

export function partsOf(upgrade: Request): UpgradeParts {
  const { url, originalUrl, ip, requestId, headers, headersDistinct, socket } = upgrade;
  const methods = Object.getPrototypeOf(upgrade);
  return { url, originalUrl, ip, requestId, headers, headersDistinct, socket, methods };
}

/** The caller on a socket, identified by the upgrade request with the headers in the payload of `connection_init`. */
export class SocketCaller {
  readonly #request: Request;
  readonly #options: SocketCallerOptions;
  #first: Caller | undefined;

  /** @throws RequestError when the payload of `connection_init` holds invalid headers */
  constructor(upgrade: UpgradeParts, payload: Json | undefined, options: SocketCallerOptions) {
    this.#request = asPosted(withHeaders(upgrade, givenHeaders(payload, options)));
    this.#options = options;
  }

  /**
   * Returns the request of the socket as if it arrived over HTTP now. The session is read again, because it may have
   * ended.
   */
  async request(): Promise<Request> {
    return rereadSession(this.#request, this.#options.readSession);
  }

  /**
   * Identifies the caller.
   * @throws CallerError, also when the identity has changed
   */
  async identify(): Promise<Caller> {
    const { authenticators, model } = this.#options.dialect();
    const caller = await identify(authenticators, await this.request(), model);
    this.refuseOther(caller);
    return caller;
  }

  /**
   * Binds the socket to the identity of its first caller.
   * @throws CallerError for any other identity
   */
  refuseOther(caller: Caller): void {
    this.#first ??= caller;
    // A client whose session has ended would mistake the rows of an anonymous caller for its own rows.
    if (caller.identity !== this.#first.identity)
      throw new CallerError('access-denied', 'the session is over; sign in again');
  }
}

function withHeaders(upgrade: UpgradeParts, given: Headers): UpgradeParts {
  const joined = Object.entries(given).map(([name, values = []]) => [name, values.join(', ')]);
  const copied = Object.entries(given).map(([name, values = []]) => [name, [...values]]);
  return {
    ...upgrade,
    headers: { ...upgrade.headers, ...Object.fromEntries(joined) },
    headersDistinct: { ...upgrade.headersDistinct, ...Object.fromEntries(copied) },
  };
}

/** The upgrade request is a GET, but operations may write, and the checks of cookies depend on the method. */
function asPosted({ methods, ...parts }: UpgradeParts): Request {
  const own = { ...parts, method: 'POST' };
  return Object.create(methods, Object.getOwnPropertyDescriptors(own));
}

const maxHeaders = 100;
/** Maximum characters of all header names and values. */
const maxCharacters = 16 * 1024;

/**
 * Reads `{"headers": {…}}` of the payload, because browsers cannot send headers with an upgrade request. Accepts only
 * headers that identify the caller: the origin of a page and cookies must come from the browser itself.
 */
function givenHeaders(
  payload: Json | undefined,
  { credentialHeaders, dialect }: SocketCallerOptions,
): Headers {
  // Some clients send their headers as the payload itself.
  const given = isJsonObject(payload) ? (payload.headers ?? payload) : {};
  if (!isJsonObject(given)) throw invalid('"headers" must be an object');
  const prefix = dialect().model.headerPrefix.toLowerCase();
  const known = ['authorization', ...credentialHeaders];
  const entries = Object.entries(given);
  if (entries.length > maxHeaders) throw invalid(`there are more than ${maxHeaders} headers`);
  const headers = new Map<string, string[]>();
  let left = maxCharacters;
  for (const [key, value] of entries) {
    const name = key.toLowerCase();
    if (!known.includes(name) && !name.startsWith(prefix)) continue;
    headers.set(name, [...(headers.get(name) ?? []), headerValue(name, value)]);
    left -= name.length + String(value).length;
    if (left < 0) throw invalid(`the headers have more than ${maxCharacters} characters`);
  }
  return Object.fromEntries(headers);
}

/** Encodes a value as Node reads header values: one character for each byte. */
function headerValue(name: string, value: Json): string {
  if (typeof value !== 'string') throw invalid(`header "${name}" must be a string`);
  const bytes = Buffer.from(value.trim(), 'utf8').toString('latin1');
  try {
    validateHeaderName(name);
    validateHeaderValue(name, bytes);
  } catch {
    throw invalid(`header "${name}" holds what no header may hold`);
  }
  return bytes;
}

function invalid(problem: string): RequestError {
  return new RequestError('invalid-headers', problem, '$.payload.headers');
}
