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
    /** Returns the person at the time when the session was read; undefined for disabled and deleted people. */
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

/**
 * Returns the session of a request's cookie; undefined without a session or after its end.
 * @throws Refusal 503
 */
export function sessionOf(request: Request): SessionData | undefined {
  throwReadFailure(request);
  // By the library's type, every request has a session, but in fact only requests with a session cookie have one.
  const session: Partial<SessionData> | undefined = request.session;
  if (session?.userId === undefined || session.expiresAt === undefined) return undefined;
  const hasExpired = Date.parse(session.expiresAt) <= Date.now();
  return hasExpired ? undefined : (session as SessionData);
}

/** Deletes the session of a request, if any. The browser may keep the cookie, which is no longer valid. */
export async function endSession(request: Request): Promise<void> {
  throwReadFailure(request);
  const session: Request['session'] | undefined = request.session;
  if (session) await promisify(session.destroy.bind(session))();
}
