import { promisify } from 'node:util';
import type { Request } from 'express';
import type { SessionData } from 'express-session';
import type { User } from '../user.ts';

declare module 'express-session' {
  interface SessionData {
    userId: string;
    /** ISO 8601 in UTC. */
    createdAt: string;
    /** ISO 8601 in UTC. */
    expiresAt: string;
    userAgent: string;
    /** Returns the person as of the time when the session was read; undefined for disabled and deleted people. */
    person?: () => User | undefined;
  }
}

const readFailures = new WeakMap<Request, unknown>();

/** Records that the session of a request could not be read. Only endpoints that use the session then fail. */
export function noteReadFailure(request: Request, error: unknown): void {
  readFailures.set(request, error);
}

function throwReadFailure(request: Request): void {
  if (readFailures.has(request)) throw readFailures.get(request);
}

/** Returns the session of a request's cookie; undefined when there is none or it has expired. @throws Refusal 503 */
export function sessionOf(request: Request): SessionData | undefined {
  throwReadFailure(request);
  // The library's type says that every request has a session, but only requests with a session cookie do.
  const session: Partial<SessionData> | undefined = request.session;
  if (session?.userId === undefined || session.expiresAt === undefined) return undefined;
  const hasExpired = Date.parse(session.expiresAt) <= Date.now();
  return hasExpired ? undefined : (session as SessionData);
}

/** Deletes the session of a request, if any. The browser may keep the cookie, which opens nothing any more. */
export async function endSession(request: Request): Promise<void> {
  throwReadFailure(request);
  const session: Request['session'] | undefined = request.session;
  if (session) await promisify(session.destroy.bind(session))();
}
