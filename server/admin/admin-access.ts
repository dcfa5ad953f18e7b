import type { Request } from 'express';
import type pg from 'pg';
import type { Model } from '../../permissions/index.ts';
import {
  type Authenticator,
  CallerError,
  headerValue,
  missingCredential,
} from '../caller/authenticate.ts';
import { Refusal } from '../http/answers/problem.ts';
import type { Access } from '../http/endpoint/access.ts';
import type { SecurityScheme } from '../http/endpoint/security-scheme.ts';
import type { AdminPerson } from './admin-person.ts';

/** A caller with the admin secret, or a person who administers the application. */
export interface AdminCaller {
  /**
   * The person or program. With the admin secret, it names itself, and nothing verifies the name. The application names
   * the people whom it has signed in.
   */
  readonly actor: string;
  /** The person whom the application has signed in; absent for uses of the admin secret. */
  readonly person?: AdminPerson | undefined;
  /** When the person's sign-in ends, in milliseconds since 1970, at the moment of signing in to the console. */
  readonly endsAt?: number | undefined;
  /** The session of the caller; absent when the request carries the secret itself. */
  readonly session?: AdminSession;
}

/** A session of the console. Clients are connections of the login that applies rules. */
export interface AdminSession {
  readonly id: string;
  /** The end in milliseconds since 1970. */
  readonly endsAt: number;
  /** Returns whether the session ended before its time, for example by a sign-out. */
  isSignedOut(client: pg.ClientBase): Promise<boolean>;
  signOut(client: pg.ClientBase): Promise<void>;
}

/** Identifies callers by a session instead of the admin secret. */
export interface AdminSessions {
  readonly schemes: readonly SecurityScheme[];
  /** Returns the caller; undefined when the request carries no session. @throws Refusal */
  read(request: Request): Promise<AdminCaller | undefined>;
}

/** The header with the name of the person or program that uses the admin secret. */
export const actorHeader = 'X-Rowgate-Actor';

export interface AdminAccessOptions {
  /** Identifies callers by the admin secret. It counts wrong secrets. */
  readonly adminSecret: Authenticator;
  readonly scheme: SecurityScheme;
  readonly model: () => Model;
  /** Accepts sessions, too. Absent: only the secret itself is accepted. */
  readonly sessions?: AdminSessions | undefined;
}

/** Accepts only callers with the admin secret that act as the role admin and name themselves, or with a session. */
export function makeAdminAccess({
  adminSecret,
  scheme,
  model,
  sessions,
}: AdminAccessOptions): Access<AdminCaller> {
  return {
    schemes: [scheme, ...(sessions?.schemes ?? [])],
    admit: async (request) => {
      try {
        // Not by `identify`, because a request of the explorer has an authenticator of its own, which calls this function.
        const bySecret = await adminSecret(request, model());
        const caller = bySecret ? undefined : await sessions?.read(request);
        if (caller) return caller;
        if (!bySecret) throw missingCredential(request, model());
        if (bySecret.role.name !== 'admin') throw notAdmin(model());
        return { actor: actorOf(request) };
      } catch (error) {
        throw error instanceof CallerError ? refusalOf(error) : error;
      }
    },
  };
}

/** A name of up to 200 characters. Control characters could forge a line where the log is read as text. */
const actorPattern = /^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u;

/** @throws Refusal 400 */
function actorOf({ headersDistinct }: Request): string {
  const actor = headerValue(headersDistinct, actorHeader.toLowerCase())?.trim() ?? '';
  if (actorPattern.test(actor)) return actor;
  const problem = actor === '' ? 'is missing' : 'must have at most 200 printable characters';
  throw new Refusal({
    status: 400,
    code: 'bad-request',
    detail: `the header ${actorHeader} ${problem}; send the name of the person or program, which is recorded`,
  });
}

function notAdmin({ headerPrefix }: Model): Refusal {
  return new Refusal({
    status: 403,
    code: 'admin-only',
    detail: `only the role admin may use this; leave out the header ${headerPrefix}Role, and name the role in the body`,
  });
}

function refusalOf({ code, message }: CallerError): Refusal {
  const isUnknown = code === 'access-denied';
  return new Refusal({
    status: isUnknown ? 401 : 400,
    code: isUnknown ? 'unauthenticated' : 'bad-request',
    detail: message,
  });
}
