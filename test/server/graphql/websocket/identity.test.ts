import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../../../server/start/start-server.ts';
import { platformMetadata, type TestServer } from '../../../support/http.ts';
import { platformWith } from '../../../support/platform.ts';
import { storeKey } from '../../platform/accounts/api-keys/stored-key.ts';
import type { LocalIssuer } from '../../platform/accounts/support/local-issuer.ts';
import { bearerOf, makeNewcomer, signedIn } from '../../platform/accounts/support/people.ts';
import { makeWorld, type World } from '../../platform/accounts/support/world.ts';
import {
  modern,
  older,
  RawSocket,
  type RawSocketOptions,
  refusalOf,
} from './support/raw-socket.ts';

const alder = '00000000-0000-4000-8000-000000000001';
const investor = 'local|alder-investor';
const admin = 'local|alder-admin';
const appOrigin = 'https://app.example.com';
const organizations = '{ organization { id } }';

let world: World;
let server: TestServer;
let sql: World['sql'];
const sockets: RawSocket[] = [];
beforeAll(async () => {
  world = await makeWorld({
    ROWGATE_APP_ORIGINS: appOrigin,
    ROWGATE_METRICS_TOKEN: 'm'.repeat(16),
  });
  ({ server, sql } = world);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.end();
});
afterAll(() => world.end());

function open(options?: RawSocketOptions, url = server.url): RawSocket {
  const socket = new RawSocket(url, options);
  sockets.push(socket);
  return socket;
}

const bearer = (...token: Parameters<LocalIssuer['tokenFor']>) => bearerOf(world, ...token);
const signIn = (subject: string) => signedIn(world, subject);
const newcomer = (name: string, ...roles: string[]) => makeNewcomer(world, name, ...roles);
const role = (name: string) => ({ 'X-Gql-Role': name });

const soon = (seconds: number) => ({ exp: Math.floor(Date.now() / 1000) + seconds });

const failure = (code: string, message?: string) => ({
  type: 'error',
  payload: [{ ...(message && { message }), extensions: { code } }],
});

describe('over a WebSocket, a caller with the admin secret', () => {
  test('gets the role admin without a role header', async () => {
    const socket = open();
    await socket.init({ 'X-Gql-Admin-Secret': server.adminSecret });
    const { payload } = await socket.ask(organizations);
    expect(payload.data.organization.length).toBeGreaterThan(1);
  });

  test('chooses a role and session variables by headers in any letter case', async () => {
    const socket = open();
    await socket.init({
      'x-gql-admin-secret': server.adminSecret,
      'X-GQL-ROLE': 'organization_admin',
      'X-Gql-Organization-Id': alder,
    });
    const { payload } = await socket.ask(organizations);
    expect(payload).toEqual({ data: { organization: [{ id: alder }] } });
  });

  test('may send the secret as a header of the upgrade request', async () => {
    const socket = open({ headers: { 'X-Gql-Admin-Secret': server.adminSecret } });
    expect(await socket.init()).toEqual({ type: 'connection_ack' });
  });

  test('is refused with a wrong secret in connection_init, despite a right one in the upgrade request', async () => {
    const socket = open({ headers: { 'X-Gql-Admin-Secret': server.adminSecret } });
    expect(await socket.init({ 'X-Gql-Admin-Secret': 'x' })).toEqual({
      code: 4403,
      reason: 'invalid x-gql-admin-secret',
    });
  });

  test('is refused without a session variable that the role requires', async () => {
    const socket = open();
    const headers = { 'X-Gql-Admin-Secret': server.adminSecret, ...role('organization_admin') };
    expect(await socket.init(headers)).toEqual({
      code: 4403,
      reason: 'missing session variable: "x-gql-organization-id"',
    });
  });
});

describe('over a WebSocket, a caller with a bearer token in connection_init', () => {
  test('can use a role that the user has', async () => {
    const socket = open();
    await socket.init({ ...(await bearer(admin)), ...role('organization_admin') });
    const { payload } = await socket.ask(organizations);
    expect(payload).toEqual({ data: { organization: [{ id: alder }] } });
  });

  test.each([
    ['X-Gql-Organization-Id', alder],
    ['X-Gql-Use-Backend-Only-Permissions', 'true'],
  ])('may not send the header %s', async (name, value) => {
    const socket = open();
    expect(await socket.init({ ...(await bearer(admin)), [name]: value })).toMatchObject({
      code: 4403,
      reason: expect.stringContaining('is for requests with the admin secret'),
    });
  });

  test.each(['accounting', 'admin', 'no_such_role', '__proto__'])(
    'is refused the role %s',
    async (name) => {
      const socket = open();
      expect(await socket.init({ ...(await bearer(admin)), ...role(name) })).toEqual({
        code: 4403,
        reason: 'your requested role is not in allowed roles',
      });
    },
  );

  test('is refused with two Authorization headers in different letter case', async () => {
    const socket = open();
    const headers = { ...(await bearer(admin)), authorization: 'Bearer x' };
    expect(await socket.init(headers)).toMatchObject({ code: 4403 });
  });

  test('is disconnected when the token expires, even without an operation', async () => {
    const both = [modern, older].map((name) => open({ protocols: [name] }));
    const token = await bearer(investor, soon(2));
    const answers = await Promise.all(both.map((socket) => socket.init(token)));
    const expired = {
      code: 4403,
      reason: 'the session or token has expired; connect with a new one',
    };
    expect(answers).toEqual([{ type: 'connection_ack' }, { type: 'connection_ack' }]);
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([expired, expired]);
  });

  test('is refused with an expired token', async () => {
    const socket = open();
    expect(await socket.init(await bearer(investor, soon(-5)))).toMatchObject({ code: 4403 });
  });

  test('stays connected with a token that expires in 60 days, later than the longest timer of JavaScript', async () => {
    const socket = open();
    await socket.init(await bearer(investor, soon(60 * 60 * 24 * 60)));
    expect(await socket.ask('{ user { id } }')).toMatchObject({ type: 'next' });
  });

  test('is refused and disconnected at the first operation after the token was revoked', async () => {
    const socket = open();
    const token = await bearer(await newcomer('gave-up'));
    await socket.init(token);
    const before = await socket.ask('{ user { id } }');
    await server.fetch('/auth/session', { method: 'DELETE', headers: token });
    expect(before).toMatchObject({ type: 'next' });
    expect(await socket.ask('{ user { id } }')).toMatchObject(failure('invalid-jwt'));
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('is refused and disconnected at the first operation after the user lost the role', async () => {
    const socket = open();
    const subject = await newcomer('lost-role', 'organization_admin');
    await socket.init({ ...(await bearer(subject)), ...role('organization_admin') });
    const before = await socket.ask(organizations);
    await sql(
      `delete from public.user_role where user_id = '${subject}' and role = 'organization_admin'`,
    );
    expect(before.payload).toEqual({ data: { organization: [{ id: alder }] } });
    expect(await socket.ask(organizations)).toMatchObject(
      failure('access-denied', 'your requested role is not in allowed roles'),
    );
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('is refused at the first operation after the account was disabled', async () => {
    const socket = open();
    const subject = await newcomer('moves');
    await socket.init(await bearer(subject));
    const before = await socket.ask('{ user { organization_id } }');
    await sql(`update public."user" set status = 'disabled' where id = '${subject}'`);
    expect(before).toMatchObject({ type: 'next' });
    expect(await socket.ask('{ user { id } }')).toMatchObject(failure('invalid-jwt'));
  });

  test('gets the message connection_error for an invalid token in the older protocol graphql-ws', async () => {
    const socket = open({ protocols: [older] });
    expect(await socket.init({ Authorization: 'Bearer x.y.z' })).toEqual({
      type: 'connection_error',
      payload: {
        message: 'the token is not valid here',
        extensions: { path: '$', code: 'invalid-jwt' },
      },
    });
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });
});

describe('over a WebSocket, a caller with a browser session', () => {
  const cookieOf = async (subject: string) => ({ Cookie: (await signIn(subject)).cookie });

  test('is identified by the session cookie of the upgrade request', async () => {
    const socket = open({ headers: await cookieOf(investor) });
    await socket.init();
    expect((await socket.ask('{ user { id } }')).payload.data.user).toEqual([{ id: investor }]);
  });

  test('chooses a role in connection_init', async () => {
    const socket = open({ headers: await cookieOf(admin) });
    await socket.init(role('organization_admin'));
    expect((await socket.ask(organizations)).payload.data.organization).toEqual([{ id: alder }]);
  });

  test('is refused and disconnected at the first operation after logging out', async () => {
    const browser = await signIn(investor);
    const socket = open({ headers: { Cookie: browser.cookie } });
    await socket.init();
    const before = await socket.ask('{ user { id } }');
    await browser.fetch('/auth/session', { method: 'DELETE' });
    expect(before).toMatchObject({ type: 'next' });
    expect(await socket.ask('{ user { id } }')).toMatchObject(
      failure('access-denied', 'the session is over; sign in again'),
    );
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('is refused after logging out, even where anonymous callers are allowed', async () => {
    const callers = { ...server.config.callers, unauthorizedRole: 'auditor' };
    const config = { ...server.config, callers };
    const settings = { metadata: platformMetadata, parts: new Set(['graphql', 'rest'] as const) };
    const another = await startServer(
      config,
      settings,
      pino({ level: 'silent' }),
      platformWith(config),
    );
    const browser = await signIn(investor);
    const socket = open({ headers: { Cookie: browser.cookie } }, another.url);
    const anonymous = open({}, another.url);
    await Promise.all([socket.init(), anonymous.init()]);
    const before = await socket.ask('{ __typename }');
    await browser.fetch('/auth/session', { method: 'DELETE' });
    const answers = [await socket.ask('{ __typename }'), await anonymous.ask('{ __typename }')];
    const ended = await socket.ended;
    anonymous.end();
    await another.stop();
    expect([before, ...answers]).toMatchObject([
      { type: 'next' },
      failure('access-denied', 'the session is over; sign in again'),
      { type: 'next' },
    ]);
    expect(ended).toMatchObject({ code: 4403 });
  });

  test('is not identified by a session cookie that is sent in connection_init', async () => {
    const socket = open();
    expect(await socket.init(await cookieOf(investor))).toMatchObject({
      code: 4403,
      reason: 'x-gql-admin-secret required, but not found',
    });
  });

  test.each([
    ['a page of another site', { Origin: 'https://evil.example' }],
    ['a request that the browser marks as cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of the same host with another scheme', { Origin: 'https://localhost' }],
    ['a page without an origin', { Origin: 'null' }],
  ])('cannot open a socket from %s', async (_from, origin) => {
    const headers = { ...(await cookieOf(investor)), Host: 'localhost', ...origin };
    expect(await refusalOf(open({ headers }))).toBe('403 cross-site');
  });

  test.each([
    ['Origin', 'https://evil.example'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])(
    'can open a socket whatever %s header connection_init contains, since a page may write any value there',
    async (name, value) => {
      const socket = open({ headers: await cookieOf(investor) });
      expect(await socket.init({ [name]: value })).toEqual({ type: 'connection_ack' });
    },
  );

  test('can open a socket from a page of a configured origin', async () => {
    const headers = { ...(await cookieOf(investor)), Origin: appOrigin };
    expect(await open({ headers }).init()).toEqual({ type: 'connection_ack' });
  });
});

test('over a WebSocket, an SDK token is accepted in connection_init, and operations are refused after it has expired', async () => {
  const token = await sdkToken();
  const socket = open();
  expect(await socket.init({ Authorization: `Bearer ${token}` })).toEqual({
    type: 'connection_ack',
  });
  await sql("update rowgate_auth.sdk_token set expires_at = now() - interval '1 second'");
  expect(await socket.ask('{ digital_wallet { user_id } }')).toMatchObject(failure('invalid-jwt'));
});

async function sdkToken(): Promise<string> {
  const owner = await world.database.connectOwner();
  const key = await storeKey(owner).finally(() => owner.end());
  const response = await server.fetch('/auth/workflow-sdk/init-token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key.text },
    body: JSON.stringify({ userId: investor, organizationId: alder }),
  });
  return ((await response.json()) as { token: string }).token;
}

test('the metrics contain the number of open sockets by protocol and of their operations by outcome', async () => {
  const socket = open({ protocols: [modern] });
  await socket.init({ 'X-Gql-Admin-Secret': server.adminSecret });
  await socket.ask('{ nothing }');
  const response = await server.fetch('/metrics', {
    headers: { Authorization: `Bearer ${'m'.repeat(16)}` },
  });
  const metrics = await response.text();
  expect(metrics).toMatch(/^rowgate_sockets\{protocol="graphql-transport-ws"\} [1-9]/m);
  expect(metrics).toMatch(/^rowgate_socket_operations_total\{outcome="error"\} [1-9]/m);
});
