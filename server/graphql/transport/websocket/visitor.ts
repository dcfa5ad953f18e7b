import { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { type Caller, CallerError, type Headers } from '../../../caller/authenticate.ts';
import type { Session } from '../../answer.ts';

/** Who asks at this moment, and what runs operations for them. */
export interface Entrance {
  readonly caller: Caller;
  readonly session: Session;
}

export interface VisitorOptions {
  /** Reads the session of requests that bring its cookie; absent where sessions do not count. */
  readonly readSession: RequestHandler | undefined;
  /** Tells who asks. @throws CallerError */
  readonly enter: (request: Request) => Promise<Entrance>;
}

/** Whoever has opened a socket, by the request that it began with and what was said since. */
export class Visitor {
  readonly #posted: Request;
  readonly #options: VisitorOptions;
  /** Who has come in first. */
  #first: Caller | undefined;

  constructor(upgrade: Request, given: Headers, options: VisitorOptions) {
    this.#posted = asPosted(upgrade, given);
    this.#options = options;
  }

  /**
   * Asks anew who it is, exactly as for a request over HTTP that has all of that in its headers.
   * @throws CallerError also where it is another one than before
   */
  async enter(): Promise<Entrance> {
    const { readSession, enter } = this.#options;
    // One of its own each time: handlers note on it what holds at that moment.
    const request: Request = Object.create(this.#posted);
    if (readSession) await passing(readSession, request);
    const entrance = await enter(request);
    this.#first ??= entrance.caller;
    // A client that has lost its session must not go on as anybody, taking what it reads then for its own.
    if (entrance.caller.identity !== this.#first.identity) throw anotherOne();
    return entrance;
  }
}

function anotherOne(): CallerError {
  return new CallerError('access-denied', 'the session is over; sign in again');
}

function asPosted(upgrade: Request, given: Headers): Request {
  const joined = Object.entries(given).map(([name, values = []]) => [name, values.join(', ')]);
  return Object.create(upgrade, {
    // The upgrade was a GET; what may come now changes things, and a cookie must not be used for that from anywhere.
    method: { value: 'POST' },
    headers: { value: { ...upgrade.headers, ...Object.fromEntries(joined) } },
    headersDistinct: { value: { ...upgrade.headersDistinct, ...given } },
  });
}

/** Has a handler do its part of a request that nothing is answered to. */
function passing(handler: RequestHandler, request: Request): Promise<void> {
  const response = new ServerResponse(request) as Response;
  return new Promise((resolve, reject) => {
    void handler(request, response, (error: unknown) => (error ? reject(error) : resolve()));
  });
}
