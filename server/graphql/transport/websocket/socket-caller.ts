import { ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { type Caller, CallerError, type Headers, identify } from '../../../caller/authenticate.ts';
import type { Dialect } from '../../handle-request.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { RequestError } from '../../request-error.ts';

export interface SocketCallerOptions {
  /** Reads the session of requests that bring its cookie; absent where sessions do not count. */
  readonly readSession: RequestHandler | undefined;
  /** Returns the dialect as it is served at the moment. */
  readonly dialect: () => Dialect;
}

/** The caller on a socket: the request that opened it, with the headers of its introduction. */
export class SocketCaller {
  readonly #posted: Request;
  readonly #options: SocketCallerOptions;
  #first: Caller | undefined;

  /** @throws RequestError where `payload`, that of the introduction, holds headers that cannot be read */
  constructor(upgrade: Request, payload: Json | undefined, options: SocketCallerOptions) {
    const { headerPrefix } = options.dialect().model;
    this.#posted = asPosted(upgrade, givenHeaders(payload, headerPrefix));
    this.#options = options;
  }

  /** Returns the request as of now, since its session may be over by now: as if it came over HTTP with all headers. */
  async request(): Promise<Request> {
    const { readSession } = this.#options;
    // One of its own each time: handlers note on it what holds at that moment.
    const request: Request = Object.create(this.#posted);
    if (readSession) await passThrough(readSession, request);
    return request;
  }

  /** @throws CallerError also where it is another caller than before */
  async identify(): Promise<Caller> {
    const { authenticators, model } = this.#options.dialect();
    const caller = await identify(authenticators, await this.request(), model);
    this.keep(caller);
    return caller;
  }

  /** Holds the socket to one identity. @throws CallerError where `caller` is another one than before */
  keep(caller: Caller): void {
    this.#first ??= caller;
    // A client that has lost its session must not go on without, taking the rows that it reads then for its own.
    if (caller.identity !== this.#first.identity)
      throw new CallerError('access-denied', 'the session is over; sign in again');
  }
}

function asPosted(upgrade: Request, given: Headers): Request {
  const joined = Object.entries(given).map(([name, values = []]) => [name, values.join(', ')]);
  return Object.create(upgrade, {
    // The upgrade was a GET; operations may write, and the checks of cookies look at the method.
    method: { value: 'POST' },
    headers: { value: { ...upgrade.headers, ...Object.fromEntries(joined) } },
    headersDistinct: { value: { ...upgrade.headersDistinct, ...given } },
  });
}

/** Has a handler do its part of a request that gets no response. */
function passThrough(handler: RequestHandler, request: Request): Promise<void> {
  const response = new ServerResponse(request) as Response;
  return new Promise((resolve, reject) => {
    void handler(request, response, (error: unknown) => (error ? reject(error) : resolve()));
  });
}

/** Headers of one introduction: as many as a request brings, with much to spare. */
const maxHeaders = 100;
/** Characters of all their names and values. */
const maxCharacters = 16 * 1024;

/**
 * Reads `{"headers": {…}}` of an introduction, since browsers can send no headers with a socket. Only headers that
 * identify the caller count: the origin of a page and cookies are for its browser to say.
 */
function givenHeaders(payload: Json | undefined, headerPrefix: string): Headers {
  const given = isJsonObject(payload) ? (payload.headers ?? {}) : {};
  if (!isJsonObject(given)) throw unreadable('"headers" must be an object');
  const prefix = headerPrefix.toLowerCase();
  const entries = Object.entries(given);
  if (entries.length > maxHeaders) throw unreadable(`there are more than ${maxHeaders} headers`);
  const headers = new Map<string, string[]>();
  let left = maxCharacters;
  for (const [key, value] of entries) {
    const name = key.toLowerCase();
    if (name !== 'authorization' && !name.startsWith(prefix)) continue;
    headers.set(name, [...(headers.get(name) ?? []), asSent(name, value)]);
    left -= name.length + String(value).length;
    if (left < 0) throw unreadable(`the headers have more than ${maxCharacters} characters`);
  }
  return Object.fromEntries(headers);
}

/** As Node reads it off the wire, where every byte is a character. */
function asSent(name: string, value: Json): string {
  if (typeof value !== 'string') throw unreadable(`header "${name}" must be a string`);
  const bytes = Buffer.from(value.trim(), 'utf8').toString('latin1');
  try {
    validateHeaderName(name);
    validateHeaderValue(name, bytes);
  } catch {
    throw unreadable(`header "${name}" holds what no header may hold`);
  }
  return bytes;
}

function unreadable(problem: string): RequestError {
  return new RequestError('invalid-headers', problem, '$.payload.headers');
}
