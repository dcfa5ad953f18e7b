import { createHmac, hkdfSync, randomUUID } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import type pg from 'pg';
import type { AdminCaller, AdminSessions } from '../admin/admin-access.ts';
import { signedOut } from '../admin/admin-errors.ts';
import { readCookie } from '../caller/jwt/token-location.ts';
import { secretCheck } from '../caller/secret-check.ts';
import { Refusal } from '../http/answers/problem.ts';
import { inCookie, type SecurityScheme } from '../http/endpoint/security-scheme.ts';

/** The content of a session's cookie. */
interface Session {
  readonly id: string;
  readonly actor: string;
  /** The end in milliseconds since 1970. */
  readonly endsAt: number;
}

const lifetimeMs = 3_600_000;

export interface ConsoleSessionsOptions {
  readonly adminSecret: string;
  readonly baseUrl: string;
}

/**
 * Makes and reads the sessions of the console. A key of the admin secret signs their cookies. Another secret makes
 * another key, so all sessions end when the secret is replaced.
 */
export class ConsoleSessions implements AdminSessions {
  readonly scheme: SecurityScheme;
  readonly #key: Buffer;
  readonly #cookie: string;
  readonly #options: CookieOptions;

  constructor({ adminSecret, baseUrl }: ConsoleSessionsOptions) {
    const { protocol, port } = new URL(baseUrl);
    const secure = protocol === 'https:';
    this.#key = Buffer.from(hkdfSync('sha256', adminSecret, '', 'rowgate console sessions', 32));
    // Browsers accept the prefix from this host over TLS only. Cookies of a host are the same for all of its ports.
    this.#cookie = secure ? '__Host-rowgate_console' : `rowgate_console_${port || '80'}`;
    this.#options = { httpOnly: true, sameSite: 'strict', path: '/', secure };
    const description = 'The session of the console, for an hour after signing in.';
    this.scheme = { name: 'consoleSession', object: inCookie(this.#cookie, description) };
  }

  /** Begins a session for the sender of the admin secret. */
  begin(response: Response, { actor }: AdminCaller): void {
    const session: Session = { id: randomUUID(), actor, endsAt: Date.now() + lifetimeMs };
    const payload = Buffer.from(JSON.stringify(session)).toString('base64url');
    const token = `${payload}.${this.#signatureOf(payload)}`;
    response.cookie(this.#cookie, token, { ...this.#options, maxAge: lifetimeMs });
  }

  /** Removes the cookie from the browser. */
  forget(response: Response): void {
    response.clearCookie(this.#cookie, this.#options);
  }

  /** Returns the caller of a request with a session; undefined without the cookie. @throws Refusal */
  read(request: Request): AdminCaller | undefined {
    const token = this.#tokenOf(request);
    if (token === undefined) return undefined;
    refuseOtherPages(request);
    const [payload = '', signature = ''] = token.split('.');
    if (!secretCheck([this.#signatureOf(payload)])(signature)) throw signedOut();
    const session: Session = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const { id, actor, endsAt } = session;
    if (endsAt <= Date.now()) throw signedOut();
    return {
      actor,
      session: {
        ...{ id, endsAt },
        isSignedOut: (client) => isSignedOut(client, session),
        signOut: (client) => signOut(client, session),
      },
    };
  }

  #tokenOf({ headersDistinct }: Request): string | undefined {
    try {
      return readCookie(this.#cookie, headersDistinct);
    } catch {
      // A page of another port or subdomain can have set a second cookie of this name.
      throw signedOut();
    }
  }

  #signatureOf(payload: string): string {
    return createHmac('sha256', this.#key).update(payload).digest('base64url');
  }
}

/**
 * Protects the cookie against CSRF: only pages of this origin may use it. Browsers say so in `Sec-Fetch-Site` where they
 * trust the connection, and name the page in `Origin` elsewhere. The name in the address bar may differ from the base
 * URL, for example `localhost`, so the origin is compared with the header `Host`.
 * @throws Refusal 403
 */
function refuseOtherPages({ headers }: Request): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const isOwn =
    site === undefined
      ? origin === undefined || URL.parse(origin)?.host === host
      : site === 'same-origin';
  if (isOwn) return;
  const detail = `a page of ${origin ?? 'another site'} may not use the session of the console`;
  throw new Refusal({ status: 403, code: 'cross-site', detail });
}

/** Ends a session before its time. Deletes the records of sessions that have ended anyway. */
async function signOut(client: pg.ClientBase, { id, endsAt }: Session): Promise<void> {
  await client.query(
    `with ended as (delete from rowgate.console_sign_out where ends_at < pg_catalog.now())
     insert into rowgate.console_sign_out values ($1, $2) on conflict do nothing`,
    [id, new Date(endsAt)],
  );
}

async function isSignedOut(client: pg.ClientBase, { id }: Session): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from rowgate.console_sign_out where session_id = $1',
    [id],
  );
  return rowCount !== 0;
}
