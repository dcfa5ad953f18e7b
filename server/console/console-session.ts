import { createHmac, hkdfSync, randomUUID } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import type pg from 'pg';
import type { AdminCaller, AdminSessions } from '../admin/admin-access.ts';
import { signedOut } from '../admin/admin-errors.ts';
import type { AdminPerson, AdminSignIn } from '../admin/admin-person.ts';
import { readCookie } from '../caller/jwt/token-location.ts';
import { secretCheck } from '../caller/secret-check.ts';
import { inCookie, type SecurityScheme } from '../http/endpoint/security-scheme.ts';
import { refuseOtherPages } from './refuse-other-pages.ts';

/** The content of a session's cookie. */
interface Session {
  readonly id: string;
  readonly actor: string;
  /** The person whom the application has signed in; absent for a session that began with the admin secret. */
  readonly person?: AdminPerson | undefined;
  /** The end in milliseconds since 1970. */
  readonly endsAt: number;
}

const lifetimeMs = 3_600_000;

export interface ConsoleSessionsOptions {
  readonly adminSecret: string;
  readonly baseUrl: string;
  /** Signs in the administrators of the application. Absent: their sessions are refused. */
  readonly signIn?: AdminSignIn | undefined;
}

/**
 * Makes and reads the sessions of the console. A key of the admin secret signs their cookies. Another secret makes
 * another key, so all sessions end when the secret is replaced.
 */
export class ConsoleSessions implements AdminSessions {
  readonly schemes: readonly SecurityScheme[];
  readonly #key: Buffer;
  readonly #cookie: string;
  readonly #options: CookieOptions;
  readonly #signIn: AdminSignIn | undefined;

  constructor({ adminSecret, baseUrl, signIn }: ConsoleSessionsOptions) {
    const { protocol, port } = new URL(baseUrl);
    const secure = protocol === 'https:';
    this.#key = Buffer.from(hkdfSync('sha256', adminSecret, '', 'rowgate console sessions', 32));
    // Browsers accept the prefix from this host over TLS only. Cookies of a host are the same for all of its ports.
    this.#cookie = secure ? '__Host-rowgate_console' : `rowgate_console_${port || '80'}`;
    this.#options = { httpOnly: true, sameSite: 'strict', path: '/', secure };
    const description = 'The session of the console, for an hour after signing in.';
    this.schemes = [{ name: 'consoleSession', object: inCookie(this.#cookie, description) }];
    this.#signIn = signIn;
  }

  /** Begins a session. That of a person ends with the session or token by which the person has signed in. */
  begin(response: Response, { actor, person, endsAt = Infinity }: AdminCaller): void {
    const bound = person && { id: person.id, proof: person.proof };
    const session: Session = {
      ...{ id: randomUUID(), actor, person: bound },
      endsAt: Math.min(Date.now() + lifetimeMs, endsAt),
    };
    const payload = Buffer.from(JSON.stringify(session)).toString('base64url');
    const token = `${payload}.${this.#signatureOf(payload)}`;
    response.cookie(this.#cookie, token, { ...this.#options, maxAge: lifetimeMs });
  }

  /** Removes the cookie from the browser. */
  forget(response: Response): void {
    response.clearCookie(this.#cookie, this.#options);
  }

  /** Returns the caller of a request with a session; undefined without the cookie. @throws Refusal */
  async read(request: Request): Promise<AdminCaller | undefined> {
    const token = this.#tokenOf(request);
    if (token === undefined) return undefined;
    refuseOtherPages(request);
    const [payload = '', signature = ''] = token.split('.');
    if (!secretCheck([this.#signatureOf(payload)])(signature)) throw signedOut();
    const session: Session = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const { id, actor, person, endsAt } = session;
    if (endsAt <= Date.now()) throw signedOut();
    return {
      ...{ actor, person },
      session: {
        ...{ id, endsAt },
        isSignedOut: async (client) =>
          (await isSignedOut(client, session)) || !(await this.#isAdmin(client, session)),
        signOut: (client) => signOut(client, session),
      },
    };
  }

  /** Returns whether a session may go on. Each use asks the application about the person, whose right may have ended. */
  async #isAdmin(client: pg.ClientBase, { person }: Session): Promise<boolean> {
    return person === undefined || (await this.#signIn?.isCurrent(client, person)) === true;
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
