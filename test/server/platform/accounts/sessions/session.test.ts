import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  destroyedSession,
  session,
} from '../../../../../server/platform/accounts/sessions/session-schemas.ts';
import type { TestDatabase } from '../../../../support/database.ts';
import type { TestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';
import { Browser } from '../support/browser.ts';
import type { LocalIssuer } from '../support/local-issuer.ts';
import { makeWorld, type World } from '../support/world.ts';

const investor = 'local|alder-investor';
const appOrigin = 'https://app.example.com';

let world: World;
let database: TestDatabase;
let issuer: LocalIssuer;
let server: TestServer;
let sql: World['sql'];
beforeAll(async () => {
  world = await makeWorld({ ROWGATE_APP_ORIGINS: appOrigin });
  ({ database, issuer, server, sql } = world);
});
afterAll(() => world.end());

async function signIn(subject = investor, claims = {}): Promise<Browser> {
  const browser = new Browser(server);
  const response = await browser.exchange(await issuer.tokenFor(subject, claims));
  expect(response.status).toBe(200);
  return browser;
}

/** Creates a person for one test, signs the person in and returns the browser. */
const newcomer = (name: string) =>
  signIn(`idp|${name}`, { email: `${name}@x.example`, email_verified: true });

async function answerOf(response: Response): Promise<readonly [number, unknown]> {
  return [response.status, await response.json()];
}

describe('GET /auth/session', () => {
  test('with a session cookie returns the person and the organization', async () => {
    const browser = new Browser(server);
    const exchanged = await browser.exchange(await issuer.tokenFor(investor));
    const { expiresAt } = (await exchanged.json()) as { expiresAt: string };
    const response = await browser.fetch('/auth/session');
    const answer = await response.json();
    expect([response.status, Value.Check(session, answer)]).toEqual([200, true]);
    expect(answer).toEqual({
      user: {
        id: investor,
        email: 'investor@alder.example',
        roles: ['investor', 'shareholder', 'user'],
        organizationId: '00000000-0000-4000-8000-000000000001',
      },
      expiresAt,
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('with a Bearer token returns the person and the organization until the token expires', async () => {
    const exp = Math.floor(Date.now() / 1000) + 120;
    const token = await issuer.tokenFor(investor, { exp });
    const response = await server.fetch('/auth/session', {
      headers: { Authorization: `Bearer ${token}` },
    });
    const answer = await response.json();
    expect([response.status, Value.Check(session, answer)]).toEqual([200, true]);
    expect(answer).toMatchObject({
      user: { id: investor },
      expiresAt: new Date(exp * 1000).toISOString(),
    });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('without credentials is answered 401', async () => {
    const response = await server.fetch('/auth/session');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await answerOf(response)).toMatchObject([401, { code: 'unauthenticated' }]);
  });

  test('with a token and a cookie of another person returns the person of the token', async () => {
    const browser = await signIn();
    const token = await issuer.tokenFor('local|birch-member');
    const response = await browser.fetch('/auth/session', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await response.json()).toMatchObject({ user: { id: 'local|birch-member' } });
  });

  test.each(['Bearer nonsense', 'Basic bWU6aHVudGVyMg==', 'Bearer'])(
    'with a valid cookie and the invalid Authorization header %s is answered 401',
    async (authorization) => {
      const browser = await signIn();
      const response = await browser.fetch('/auth/session', {
        headers: { Authorization: authorization },
      });
      expect(await answerOf(response)).toMatchObject([401, { code: 'invalid-token' }]);
    },
  );

  test('with a token of a person without a user account is answered 401', async () => {
    const token = await issuer.tokenFor('idp|never', { email: 'never@x.example' });
    const response = await server.fetch('/auth/session', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await answerOf(response)).toMatchObject([401, { code: 'unknown-user' }]);
  });
});

describe('a session cookie', () => {
  test('is ignored when it contains the id of a session but no valid signature', async () => {
    await signIn();
    const [row] = (await sql(
      `select sid from rowgate_auth.session where user_id = '${investor}' limit 1`,
    )) as [{ sid: string }];
    const attempts = [row.sid, `s:${row.sid}`, `s:${row.sid}.`, `j:"${row.sid}"`];
    const answers = await Promise.all(
      attempts.map((value) =>
        new Browser(server, `rowgate.sid=${encodeURIComponent(value)}`).fetch('/auth/session'),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  test('is refused twelve hours after the sign-in, although it was used meanwhile', async () => {
    const browser = await newcomer('steady');
    await browser.fetch('/auth/session');
    const [row] = (await sql(
      `select extract(epoch from expire - now()) / 3600 as hours, sess ->> 'expiresAt' as ends
       from rowgate_auth.session where user_id = 'idp|steady'`,
    )) as [{ hours: string; ends: string }];
    expect(Number(row.hours)).toBeCloseTo(12, 1);
    await sql(
      `update rowgate_auth.session set sess = jsonb_set(sess::jsonb, '{expiresAt}', to_jsonb(to_char((now() - interval '1 second') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
       where user_id = 'idp|steady'`,
    );
    const response = await browser.fetch('/auth/session');
    expect(await answerOf(response)).toMatchObject([401, { code: 'unauthenticated' }]);
  });

  test('is ignored when the stored session has expired', async () => {
    const browser = await newcomer('gone');
    await sql(
      `update rowgate_auth.session set expire = now() - interval '1 minute' where user_id = 'idp|gone'`,
    );
    expect((await browser.fetch('/auth/session')).status).toBe(401);
  });

  test('is refused as soon as its person is disabled, and the stored session is deleted', async () => {
    const browser = await newcomer('disabled');
    await sql(`update public."user" set status = 'disabled' where id = 'idp|disabled'`);
    const response = await browser.fetch('/auth/session');
    expect(await answerOf(response)).toMatchObject([401, { code: 'unknown-user' }]);
    expect(await sql(`select from rowgate_auth.session where user_id = 'idp|disabled'`)).toEqual(
      [],
    );
  });

  test('is refused as soon as its person is deleted', async () => {
    const browser = await newcomer('deleted');
    await sql(`delete from public."user" where id = 'idp|deleted'`);
    expect((await browser.fetch('/auth/session')).status).toBe(401);
  });

  test('gives the roles that the person has now, not those at the time of the sign-in', async () => {
    const browser = await newcomer('promoted');
    await sql(`insert into public.user_role values ('idp|promoted', 'trader')`);
    const response = await browser.fetch('/auth/session');
    expect(await response.json()).toMatchObject({ user: { roles: ['trader', 'user'] } });
  });
});

test('a token is refused as soon as its person is disabled', async () => {
  await newcomer('frozen');
  const headers = { Authorization: `Bearer ${await issuer.tokenFor('idp|frozen')}` };
  const before = await server.fetch('/auth/session', { headers });
  await sql(`update public."user" set status = 'disabled' where id = 'idp|frozen'`);
  const after = await server.fetch('/auth/session', { headers });
  expect(before.status).toBe(200);
  expect(await answerOf(after)).toMatchObject([401, { code: 'unknown-user' }]);
});

describe('DELETE /auth/session', () => {
  test('with a cookie ends the session and clears the cookie', async () => {
    const browser = await newcomer('leaver');
    const { cookie } = browser;
    const response = await browser.fetch('/auth/session', { method: 'DELETE' });
    const answer = await response.json();
    expect([response.status, Value.Check(destroyedSession, answer)]).toEqual([200, true]);
    expect(answer).toEqual({ message: 'the session has ended', success: true });
    expect(response.headers.getSetCookie()).toEqual([
      'rowgate.sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    ]);
    expect((await new Browser(server, cookie).fetch('/auth/session')).status).toBe(401);
    expect(await sql(`select from rowgate_auth.session where user_id = 'idp|leaver'`)).toEqual([]);
  });

  test('with a cookie leaves other sessions of the person', async () => {
    const [one, other] = [await signIn(), await signIn()];
    await one.fetch('/auth/session', { method: 'DELETE' });
    expect((await other.fetch('/auth/session')).status).toBe(200);
  });

  test('with a Bearer token revokes the token', async () => {
    const token = await issuer.tokenFor(investor);
    const headers = { Authorization: `Bearer ${token}` };
    const response = await server.fetch('/auth/session', { method: 'DELETE', headers });
    const read = await server.fetch('/auth/session', { headers });
    const exchanged = await new Browser(server).exchange(token);
    const graphql = await new Browser(server).graphql('{ __typename }', headers);
    const again = await server.fetch('/auth/session', { method: 'DELETE', headers });
    expect([response.status, read.status, exchanged.status, again.status]).toEqual([
      200, 401, 401, 401,
    ]);
    expect(await read.json()).toMatchObject({
      code: 'invalid-token',
      detail: 'the token is not valid here',
    });
    expect(graphql.errors[0].extensions.code).toBe('invalid-jwt');
  });

  test('with a Bearer token leaves other tokens of the person, and deletes the records of revoked tokens that have expired', async () => {
    await sql(
      `insert into rowgate_auth.revoked_token values ('\\x01', now() - interval '1 day'), ('\\x02', now() - interval '5 seconds')`,
    );
    const [one, other] = [await issuer.tokenFor(investor), await issuer.tokenFor(investor)];
    await server.fetch('/auth/session', {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${one}` },
    });
    const response = await server.fetch('/auth/session', {
      headers: { Authorization: `Bearer ${other}` },
    });
    expect(response.status).toBe(200);
    expect(
      await sql(
        `select encode(digest, 'hex') as digest from rowgate_auth.revoked_token where digest in ('\\x01', '\\x02')`,
      ),
    ).toEqual([{ digest: '02' }]);
  });

  test.each([
    ['Origin', 'https://evil.example'],
    ['Origin', 'null'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('is refused from a page of another site (%s: %s)', async (name, value) => {
    const browser = await signIn();
    const refused = await browser.fetch('/auth/session', {
      method: 'DELETE',
      headers: { [name]: value },
    });
    expect(await answerOf(refused)).toMatchObject([403, { code: 'cross-site' }]);
    expect((await browser.fetch('/auth/session')).status).toBe(200);
  });

  test.each([['own'], ['app']])('is accepted from a page of the %s origin', async (whose) => {
    const browser = await signIn();
    const origin = { own: server.url, app: appOrigin }[whose] ?? '';
    const response = await browser.fetch('/auth/session', {
      method: 'DELETE',
      headers: { Origin: origin, 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(response.status).toBe(200);
  });

  test('without credentials is answered 401', async () => {
    const response = await server.fetch('/auth/session', { method: 'DELETE' });
    expect(await answerOf(response)).toMatchObject([401, { code: 'unauthenticated' }]);
  });
});

describe('while the database is down', () => {
  const closed = async (isClosed: boolean) => {
    const { superuserUrl } = database;
    const postgres = superuserUrl.replace(/\/[^/]*$/, '/postgres');
    await query(
      postgres,
      `alter database ${database.name} allow_connections ${!isClosed}`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`,
    );
  };

  test('the data API answers 503 to requests with any kind of credential', async () => {
    const browser = await signIn();
    const operation = { method: 'POST', body: '{"query": "{ __typename }"}' };
    const json = { 'Content-Type': 'application/json' };
    const tokens = [await issuer.tokenFor(investor), `wf_sdk_${'A'.repeat(43)}`];
    await closed(true);
    const responses = [
      await browser.fetch('/v1/graphql', { ...operation, headers: json }),
      await browser.fetch('/v1alpha1/graphql', { ...operation, headers: json }),
    ];
    for (const token of tokens) {
      const headers = { ...json, Authorization: `Bearer ${token}` };
      responses.push(await server.fetch('/v1/graphql', { ...operation, headers }));
    }
    await closed(false);
    for (const response of responses) {
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await answerOf(response)).toMatchObject([503, { code: 'unavailable' }]);
    }
  });

  test('GET /auth/session answers 503 instead of 401, so that clients keep their session', async () => {
    const browser = await signIn();
    const headers = { Authorization: `Bearer ${await issuer.tokenFor(investor)}` };
    await closed(true);
    const byCookie = await browser.fetch('/auth/session');
    const byToken = await server.fetch('/auth/session', { headers });
    const exchange = await server.fetch('/auth/token-exchange', { method: 'POST', headers });
    const docs = await browser.fetch('/openapi.json');
    await closed(false);
    const after = await browser.fetch('/auth/session');
    expect(await answerOf(byCookie)).toMatchObject([503, { code: 'unavailable' }]);
    expect(await answerOf(byToken)).toMatchObject([503, { code: 'unavailable' }]);
    expect(exchange.status).toBe(503);
    // The documentation still answers, because its endpoint reads no session.
    expect(docs.status).toBe(200);
    expect(byCookie.headers.get('retry-after')).toBe('1');
    expect(after.status).toBe(200);
  });
});

test('the server works when a newer migration has added result columns to its database functions', async () => {
  const token = await issuer.tokenFor(investor);
  const status = async () => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await server.fetch('/auth/session', { headers })).status;
  };
  const before = await status();
  await sql(
    'alter function rowgate_auth.find_user(text, timestamptz, bytea) rename to find_user_before',
    `create function rowgate_auth.find_user(user_id text, begun_at timestamptz, token_digest bytea)
       returns table (id text, email text, organization_id uuid, is_platform_admin boolean,
         roles text[], allowed_funds text[], token_is_revoked boolean, more text)
       language sql security definer
       begin atomic select f.*, 'more' from rowgate_auth.find_user_before($1, $2, $3) f; end`,
  );
  const after = await status();
  await sql(
    'drop function rowgate_auth.find_user(text, timestamptz, bytea)',
    'alter function rowgate_auth.find_user_before(text, timestamptz, bytea) rename to find_user',
  );
  expect([before, after]).toEqual([200, 200]);
});
