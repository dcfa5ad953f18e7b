import { hkdfSync } from 'node:crypto';
import { promisify } from 'node:util';
import type { Request, RequestHandler, Response } from 'express';
import expressSession from 'express-session';
import type pg from 'pg';
import type pino from 'pino';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import { noteUnread } from './session-data.ts';
import { SessionStore } from './session-store.ts';

/** Seconds after which a session ends, however much it is used. */
export const sessionLifetimeSeconds = 12 * 60 * 60;

export interface SessionMiddlewareOptions {
  readonly pool: pg.Pool;
  readonly secretKey: string;
  /** Still verifies. */
  readonly previousSecretKey: string | undefined;
  /** Whether the cookie goes over https alone. */
  readonly secure: boolean;
  readonly logger: pino.Logger;
}

export interface SessionMiddleware {
  /** Puts the session of a cookie into `request.session`; requests without the cookie pass untouched. */
  readonly handler: RequestHandler;
  /** Whether the cookie goes over https alone. */
  readonly secure: boolean;
  /** Whether a request brings the cookie, of a session that goes on or not. */
  isBrought(request: Request): boolean;
  /** Gives a request a session that is not stored yet, in place of the one that it brought. @throws Refusal 503 */
  renew(request: Request, response: Response): Promise<void>;
  /** Lets the browser forget the cookie. */
  clearCookie(response: Response): void;
  close(): Promise<void>;
}

export function makeSessionMiddleware(options: SessionMiddlewareOptions): SessionMiddleware {
  const { pool, secure, logger } = options;
  const store = new SessionStore(pool, logger);
  const name = cookieName(secure);
  const isBrought = ({ headers }: Request) => headers.cookie?.includes(`${name}=`) ?? false;
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
      if (isBrought(request)) {
        await read(request, response).catch((error: unknown) => noteUnread(request, error));
      }
      next();
    },
    isBrought,
    renew: async (request, response) => {
      await read(request, response);
      const { session } = request;
      await orUnavailable(promisify(session.regenerate.bind(session))(), logger);
    },
    clearCookie: (response) => response.clearCookie(name, cookieFlags(secure)),
    close: async () => store.close(),
  };
}

/** The prefix keeps other hosts of the same site from planting one. */
function cookieName(secure: boolean): string {
  return secure ? '__Host-rowgate.sid' : 'rowgate.sid';
}

/** A browser clears a cookie only if it is told what it was told when the cookie was set. */
function cookieFlags(secure: boolean) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
}

/** The first one signs. */
function cookieKeys({ secretKey, previousSecretKey }: SessionMiddlewareOptions): Buffer[] {
  const secrets = previousSecretKey === undefined ? [secretKey] : [secretKey, previousSecretKey];
  return secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'rowgate session cookie', 32)),
  );
}
