import { promisify } from 'node:util';
import type { Request } from 'express';
import type { SessionData } from 'express-session';
import type { User } from '../user.ts';

declare module 'express-session' {
  interface SessionData {
    userId: string;
    /** ISO 8601, in UTC, as the other time. */
    createdAt: string;
    expiresAt: string;
    userAgent: string;
    /** As of when the session was read; undefined for somebody who is disabled or not there. */
    person?: () => User | undefined;
  }
}

const unread = new WeakMap<Request, unknown>();

/** Notes that the session of a request could not be read: whoever asks for it is told why, and nobody else. */
export function noteUnread(request: Request, error: unknown): void {
  unread.set(request, error);
}

function throwUnread(request: Request): void {
  if (unread.has(request)) throw unread.get(request);
}

/** The session that a request's cookie opens; undefined where there is none, or its time is over. @throws Refusal 503 */
export function sessionOf(request: Request): SessionData | undefined {
  throwUnread(request);
  // Only requests that bring its cookie have one, whatever the type says.
  const session: Partial<SessionData> | undefined = request.session;
  if (session?.userId === undefined || session.expiresAt === undefined) return undefined;
  const isOver = Date.parse(session.expiresAt) <= Date.now();
  return isOver ? undefined : (session as SessionData);
}

/** Forgets the session of a request, if it has one; the cookie stays with the browser and opens nothing. */
export async function endSession(request: Request): Promise<void> {
  throwUnread(request);
  const session: Request['session'] | undefined = request.session;
  if (session) await promisify(session.destroy.bind(session))();
}
