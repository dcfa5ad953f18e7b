import { promisify } from 'node:util';
import type { Request } from 'express';
import type { SessionData } from 'express-session';
import type { CallerRequest } from '../../../caller/caller-request.ts';
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

/** A request whose session may have been read. */
interface SessionRequest extends CallerRequest {
  readonly session?: Partial<Request['session']>;
}

const readFailures = new WeakMap<CallerRequest, unknown>();

/** Records that the session of a request could not be read. Only endpoints that use the session then fail. */
export function noteReadFailure(request: CallerRequest, error: unknown): void {
  readFailures.set(request, error);
}

function throwReadFailure(request: CallerRequest): void {
  if (readFailures.has(request)) throw readFailures.get(request);
}

/**
 * Returns the session of a request's cookie; undefined without a session or after its end.
 * @throws Refusal 503
 */
export function sessionOf(request: SessionRequest): SessionData | undefined {
  throwReadFailure(request);
  const { session } = request;
  if (session?.userId === undefined || session.expiresAt === undefined) return undefined;
  const hasExpired = Date.parse(session.expiresAt) <= Date.now();
  return hasExpired ? undefined : (session as SessionData);
}

/** Deletes the session of a request, if any. The browser may keep the cookie, which is no longer valid. */
export async function endSession(request: SessionRequest): Promise<void> {
  throwReadFailure(request);
  const { session } = request;
  if (session?.destroy) await promisify(session.destroy.bind(session))();
}
