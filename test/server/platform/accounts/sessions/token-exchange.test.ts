import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ExchangedSession,
  exchangedSession,
} from '../../../../../server/platform/accounts/sessions/session-schemas.ts';
import type { TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { Browser } from '../support/browser.ts';
import type { LocalIssuer } from '../support/local-issuer.ts';
import { makeWorld, type World } from '../support/world.ts';

const appOrigin = 'https://app.example.com';
const alder = '00000000-0000-4000-8000-000000000001';

let world: World;
let database: TestDatabase;
let issuer: LocalIssuer;
let server: TestServer;
let sql: World['sql'];
beforeAll(async () => {
  world = await makeWorld({ ROWGATE_APP_ORIGINS: appOrigin }, { graphql: false });
  ({ database, issuer, server, sql } = world);
});
afterAll(() => world.end());

const person = (email: string) => ({ email, email_verified: true });

describe("a token exchange (sign-in with a provider's token)", () => {
  test('returns the person and the time when the session ends', async () => {
    const begun = Date.now();
    const response = await new Browser(server).exchange(
      await issuer.tokenFor('local|alder-investor'),
    );
    const answer = (await response.json()) as ExchangedSession;
    expect([response.status, Value.Check(exchangedSession, answer)]).toEqual([200, true]);
    expect(answer).toEqual({
      user: {
        id: 'local|alder-investor',
        email: 'investor@alder.example',
        roles: ['investor', 'shareholder', 'user'],
      },
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const lifetime = Date.parse(answer.expiresAt) - begun;
    expect(Math.round(lifetime / 3_600_000)).toBe(12);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('sets a cookie that scripts cannot read and other sites cannot send', async () => {
    const response = await new Browser(server).exchange(
      await issuer.tokenFor('local|alder-investor'),
    );
    const [cookie, ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(
      /^rowgate\.sid=s%3A[\w%.-]+; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/,
    );
  });

  test('without a token is refused', async () => {
    const browser = new Browser(server);
    await browser.exchange(await issuer.tokenFor('local|alder-investor'));
    const response = await browser.fetch('/auth/token-exchange', { method: 'POST' });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { code: 'unauthenticated' },
    ]);
  });

  test.each([
    ['another scheme than Bearer', 'Basic bWU6aHVudGVyMg=='],
    ['no token', 'Bearer'],
    ['two tokens', 'Bearer a.b.c d.e.f'],
    ['an SDK token', 'Bearer wf_sdk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ])('with %s is refused', async (_name, authorization) => {
    const response = await server.fetch('/auth/token-exchange', {
      method: 'POST',
      headers: { Authorization: authorization },
    });
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { code: 'invalid-token' },
    ]);
  });

  test('with an expired token is refused with that reason', async () => {
    const iat = Math.floor(Date.now() / 1000) - 7200;
    const token = await issuer.tokenFor('local|alder-investor', { iat, exp: iat + 3600 });
    const response = await new Browser(server).exchange(token);
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { code: 'invalid-token', detail: 'the token has expired' },
    ]);
  });

  test('accepts the scheme Bearer in any letter case', async () => {
    const token = await issuer.tokenFor('local|alder-investor');
    const response = await server.fetch('/auth/token-exchange', {
      method: 'POST',
      headers: { Authorization: `bEARER ${token}` },
    });
    expect(response.status).toBe(200);
  });

  test('is refused from a page of another site, which could otherwise sign its visitors in as another person', async () => {
    const token = await issuer.tokenFor('local|alder-investor');
    const fromElsewhere = await new Browser(server).exchange(token, {
      Origin: 'https://evil.example',
    });
    const fromApp = await new Browser(server).exchange(token, { Origin: appOrigin });
    const fromHere = await new Browser(server).exchange(token, { Origin: server.url });
    expect([fromElsewhere.status, await fromElsewhere.json()]).toMatchObject([
      403,
      { code: 'cross-site' },
    ]);
    expect(fromElsewhere.headers.getSetCookie()).toEqual([]);
    expect([fromApp.status, fromHere.status]).toEqual([200, 200]);
  });

  test('ends the session that the request already has, and starts one with a new id', async () => {
    const browser = new Browser(server);
    await browser.exchange(await issuer.tokenFor('local|alder-member'));
    const planted = browser.cookie;
    await browser.exchange(await issuer.tokenFor('local|alder-investor'));
    const old = await new Browser(server, planted).fetch('/auth/session');
    const now = await browser.fetch('/auth/session');
    expect(browser.cookie).not.toBe(planted);
    expect(old.status).toBe(401);
    expect(await now.json()).toMatchObject({ user: { id: 'local|alder-investor' } });
    expect(
      await sql("select 1 from rowgate_auth.session where user_id = 'local|alder-member'"),
    ).toEqual([]);
  });

  test('ignores a session id that the server did not create', async () => {
    const browser = new Browser(server, 'rowgate.sid=s%3Achosen-by-somebody-else.AAAA');
    await browser.exchange(await issuer.tokenFor('local|alder-investor'));
    expect(browser.cookie).not.toContain('chosen-by-somebody-else');
    expect(await sql("select 1 from rowgate_auth.session where sid like 'chosen%'")).toEqual([]);
  });
});

describe('a token exchange of a person who', () => {
  const refusal = { code: 'unknown-user' };

  test('is disabled starts no session', async () => {
    const token = await issuer.tokenFor('idp|dora', person('dora@new.example'));
    await new Browser(server).exchange(token);
    await sql(`update public."user" set status = 'disabled' where id = 'idp|dora'`);
    const response = await new Browser(server).exchange(token);
    expect([response.status, await response.json()]).toMatchObject([401, refusal]);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('was deleted succeeds with a new token and fails with one from before the deletion', async () => {
    const iat = Math.floor(Date.now() / 1000) - 60;
    const old = await issuer.tokenFor('idp|dean', { ...person('dean@new.example'), iat });
    await new Browser(server).exchange(old);
    await sql(`delete from public."user" where id = 'idp|dean'`);
    const refused = await new Browser(server).exchange(old);
    await sql(
      "update rowgate_auth.departed_user set departed_at = now() - interval '30 seconds' where id = 'idp|dean'",
    );
    const renewed = await new Browser(server).exchange(
      await issuer.tokenFor('idp|dean', person('dean@new.example')),
    );
    const oldOnce = await new Browser(server).exchange(old);
    const headers = { Authorization: `Bearer ${old}` };
    const read = await server.fetch('/auth/session', { headers });
    expect([refused.status, await refused.json()]).toMatchObject([401, refusal]);
    expect([renewed.status, oldOnce.status, read.status]).toEqual([200, 401, 401]);
  });

  test('was deleted and has signed in again does not make sessions from before the deletion valid', async () => {
    const browser = new Browser(server);
    const begun = await browser.exchange(
      await issuer.tokenFor('idp|edna', person('edna@new.example')),
    );
    await sql(
      `delete from public."user" where id = 'idp|edna'`,
      "update rowgate_auth.departed_user set departed_at = now() - interval '30 seconds' where id = 'idp|edna'",
    );
    const token = await issuer.tokenFor('idp|edna', person('edna@new.example'));
    const renewed = await new Browser(server).exchange(token);
    expect([begun.status, renewed.status]).toEqual([200, 200]);
    expect((await browser.fetch('/auth/session')).status).toBe(401);
  });

  test('has revoked the token starts no session and creates no user', async () => {
    const token = await issuer.tokenFor('idp|rita', person('rita@new.example'));
    const headers = { Authorization: `Bearer ${token}` };
    await server.fetch('/auth/logout?x-client-type=api', { headers });
    const response = await new Browser(server).exchange(token);
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { code: 'invalid-token' },
    ]);
    expect(await sql(`select from public."user" where id = 'idp|rita'`)).toEqual([]);
  });
});

describe('a token exchange when only invited people may sign up', () => {
  let invitedOnly: TestServer;
  beforeAll(async () => {
    invitedOnly = await startTestServer({
      database,
      rest: true,
      graphql: false,
      environment: {
        ...issuer.environment,
        ROWGATE_DATA_DIR: server.config.dataDir,
        ROWGATE_SIGN_UP: 'invited',
      },
    });
  });
  afterAll(() => invitedOnly.stop());

  test('is refused for a person without an invitation', async () => {
    const token = await issuer.tokenFor('idp|stranger', person('stranger@x.example'));
    const response = await new Browser(invitedOnly).exchange(token);
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'not-invited' }]);
    expect(await sql(`select from public."user" where id = 'idp|stranger'`)).toEqual([]);
  });

  test('succeeds for an invited person, also with several requests at the same time', async () => {
    await sql(
      `insert into public."user" (organization_id, email) values ('${alder}', 'late@alder.example')`,
    );
    const token = await issuer.tokenFor('idp|late', person('late@alder.example'));
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => new Browser(invitedOnly).exchange(token)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});
