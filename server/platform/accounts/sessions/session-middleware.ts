import { hkdfSync } from 'node:crypto';
import { promisify } from 'node:util';
import type { Request, RequestHandler, Response } from 'express';
import expressSession from 'express-session';
import type pg from 'pg';
import type pino from 'pino';
import type { CallerRequest } from '../../../caller/caller-request.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import { noteReadFailure } from './session-data.ts';
import { SessionStore } from './session-store.ts';

/** The lifetime of a session in seconds. Use does not extend it. */
export const sessionLifetimeSeconds = 12 * 60 * 60;

export interface SessionMiddlewareOptions {
  readonly pool: pg.Pool;
  readonly secretKey: string;
  /** Verifies cookies that were signed before a change of the secret key. */
  readonly previousSecretKey: string | undefined;
  /** Whether browsers send the cookie over https only. */
  readonly secure: boolean;
  readonly logger: pino.Logger;
}

export interface SessionMiddleware {
  /** Sets `request.session` from the cookie. Requests without the cookie pass unchanged. */
  readonly handler: RequestHandler;
  /** Whether browsers send the cookie over https only. */
  readonly secure: boolean;
  /** Returns whether a request has the cookie, even of an ended session. */
  hasCookie(request: Pick<CallerRequest, 'headers'>): boolean;
  /** Replaces the session of a request by a new one with another id, which is not stored yet. @throws Refusal 503 */
  renew(request: Request, response: Response): Promise<void>;
  /** Makes the browser delete the cookie. */
  clearCookie(response: Response): void;
  close(): Promise<void>;
}

export function makeSessionMiddleware(options: SessionMiddlewareOptions): SessionMiddleware {
  const { pool, secure, logger } = options;
  const store = new SessionStore(pool, logger);
  const name = cookieName(secure);
  const hasCookie = ({ headers }: Pick<CallerRequest, 'headers'>) =>
    headers.cookie?.includes(`${name}=`) ?? false;
  const readSession = expressSession({
    name,
    store,
    secret: cookieKeys(options),
    resave: false,
    saveUninitialized: false,
    rolling: false,
    cookie: { ...cookieFlags(secure), maxAge: sessionLifetimeSeconds * 1000 },
  });
  const read = async (request: Request, response: Response) =>
    orUnavailable(promisify(readSession)(request, response), logger);
  return {
    secure,
    handler: async (request, response, next) => {
      if (/^\/auth\//i.test(request.path)) response.setHeader('Cache-Control', 'no-store');
      if (hasCookie(request)) {
        await read(request, response).catch((error: unknown) => noteReadFailure(request, error));
      }
      next();
    },
    hasCookie,
    renew: async (request, response) => {
      await read(request, response);
      const { session } = request;
      await orUnavailable(promisify(session.regenerate.bind(session))(), logger);
    },
    clearCookie: (response) => response.clearCookie(name, cookieFlags(secure)),
    close: async () => store.close(),
  };
}

/** Returns the name of the cookie. The prefix `__Host-` prevents other hosts of the site from setting this cookie. */
function cookieName(secure: boolean): string {
  return secure ? '__Host-rowgate.sid' : 'rowgate.sid';
}

/** Returns the flags of the cookie. A browser deletes a cookie only when the flags are the same as when it was set. */
function cookieFlags(secure: boolean) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
}

/** Returns the keys of the cookie. The first one signs, and all of them verify. */
function cookieKeys({ secretKey, previousSecretKey }: SessionMiddlewareOptions): Buffer[] {
  const secrets = previousSecretKey === undefined ? [secretKey] : [secretKey, previousSecretKey];
  return secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'rowgate session cookie', 32)),
  );
}
