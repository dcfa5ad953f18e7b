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

describe('somebody with the admin secret', () => {
  test('is admin where no role is named', async () => {
    const socket = open();
    await socket.introduce({ 'X-Gql-Admin-Secret': server.adminSecret });
    const { payload } = await socket.ask(organizations);
    expect(payload.data.organization.length).toBeGreaterThan(1);
  });

  test('names a role and variables as in headers, in any case', async () => {
    const socket = open();
    await socket.introduce({
      'x-gql-admin-secret': server.adminSecret,
      'X-GQL-ROLE': 'organization_admin',
      'X-Gql-Organization-Id': alder,
    });
    const { payload } = await socket.ask(organizations);
    expect(payload).toEqual({ data: { organization: [{ id: alder }] } });
  });

  test('may send the headers with the upgrade', async () => {
    const socket = open({ headers: { 'X-Gql-Admin-Secret': server.adminSecret } });
    expect(await socket.introduce()).toEqual({ type: 'connection_ack' });
  });

  test('is refused where a wrong secret is said, whatever came with the upgrade', async () => {
    const socket = open({ headers: { 'X-Gql-Admin-Secret': server.adminSecret } });
    expect(await socket.introduce({ 'X-Gql-Admin-Secret': 'x' })).toEqual({
      code: 4403,
      reason: 'invalid x-gql-admin-secret',
    });
  });

  test('is refused without a variable that the role requires', async () => {
    const socket = open();
    const headers = { 'X-Gql-Admin-Secret': server.adminSecret, ...role('organization_admin') };
    expect(await socket.introduce(headers)).toEqual({
      code: 4403,
      reason: 'missing session variable: "x-gql-organization-id"',
    });
  });
});

describe('somebody with a token', () => {
  test('acts in a role of their own', async () => {
    const socket = open();
    await socket.introduce({ ...(await bearer(admin)), ...role('organization_admin') });
    const { payload } = await socket.ask(organizations);
    expect(payload).toEqual({ data: { organization: [{ id: alder }] } });
  });

  test.each([
    ['X-Gql-Organization-Id', alder],
    ['X-Gql-Use-Backend-Only-Permissions', 'true'],
  ])('may not say %s', async (name, value) => {
    const socket = open();
    expect(await socket.introduce({ ...(await bearer(admin)), [name]: value })).toMatchObject({
      code: 4403,
      reason: expect.stringContaining('is for requests with the admin secret'),
    });
  });

  test.each(['accounting', 'admin', 'no_such_role', '__proto__'])(
    'is refused the role %s',
    async (name) => {
      const socket = open();
      expect(await socket.introduce({ ...(await bearer(admin)), ...role(name) })).toEqual({
        code: 4403,
        reason: 'your requested role is not in allowed roles',
      });
    },
  );

  test('is refused where it is said twice in other cases', async () => {
    const socket = open();
    const headers = { ...(await bearer(admin)), authorization: 'Bearer x' };
    expect(await socket.introduce(headers)).toMatchObject({ code: 4403 });
  });

  test('is let go when it expires, idle as they are', async () => {
    const both = [modern, older].map((name) => open({ protocols: [name] }));
    const token = await bearer(investor, soon(2));
    const answers = await Promise.all(both.map((socket) => socket.introduce(token)));
    const expired = {
      code: 4403,
      reason: 'the session or token has expired; connect with a new one',
    };
    expect(answers).toEqual([{ type: 'connection_ack' }, { type: 'connection_ack' }]);
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([expired, expired]);
  });

  test('is refused when it has expired', async () => {
    const socket = open();
    expect(await socket.introduce(await bearer(investor, soon(-5)))).toMatchObject({ code: 4403 });
  });

  test('is not let go because it lasts longer than timers do', async () => {
    const socket = open();
    await socket.introduce(await bearer(investor, soon(60 * 60 * 24 * 60)));
    expect(await socket.ask('{ user { id } }')).toMatchObject({ type: 'next' });
  });

  test('is let go with the first operation after the token was given up', async () => {
    const socket = open();
    const token = await bearer(await newcomer('gave-up'));
    await socket.introduce(token);
    const before = await socket.ask('{ user { id } }');
    await server.fetch('/auth/session', { method: 'DELETE', headers: token });
    expect(before).toMatchObject({ type: 'next' });
    expect(await socket.ask('{ user { id } }')).toMatchObject(failure('invalid-jwt'));
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('is refused a role from the first operation after it was taken away', async () => {
    const socket = open();
    const subject = await newcomer('lost-role', 'organization_admin');
    await socket.introduce({ ...(await bearer(subject)), ...role('organization_admin') });
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

  test('sees what they may see now, not when the socket was opened', async () => {
    const socket = open();
    const subject = await newcomer('moves');
    await socket.introduce(await bearer(subject));
    const before = await socket.ask('{ user { organization_id } }');
    await sql(`update public."user" set status = 'disabled' where id = '${subject}'`);
    expect(before).toMatchObject({ type: 'next' });
    expect(await socket.ask('{ user { id } }')).toMatchObject(failure('invalid-jwt'));
  });

  test('that does not count is refused by the older protocol in a message, too', async () => {
    const socket = open({ protocols: [older] });
    expect(await socket.introduce({ Authorization: 'Bearer x.y.z' })).toEqual({
      type: 'connection_error',
      payload: {
        message: 'the token is not valid here',
        extensions: { path: '$', code: 'invalid-jwt' },
      },
    });
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });
});

describe('somebody with a session', () => {
  const cookieOf = async (subject: string) => ({ Cookie: (await signIn(subject)).cookie });

  test('is known by the cookie of the upgrade', async () => {
    const socket = open({ headers: await cookieOf(investor) });
    await socket.introduce();
    expect((await socket.ask('{ user { id } }')).payload.data.user).toEqual([{ id: investor }]);
  });

  test('names a role when introducing themselves', async () => {
    const socket = open({ headers: await cookieOf(admin) });
    await socket.introduce(role('organization_admin'));
    expect((await socket.ask(organizations)).payload.data.organization).toEqual([{ id: alder }]);
  });

  test('is let go with the first operation after they logged out', async () => {
    const browser = await signIn(investor);
    const socket = open({ headers: { Cookie: browser.cookie } });
    await socket.introduce();
    const before = await socket.ask('{ user { id } }');
    await browser.fetch('/auth/session', { method: 'DELETE' });
    expect(before).toMatchObject({ type: 'next' });
    expect(await socket.ask('{ user { id } }')).toMatchObject(
      failure('access-denied', 'the session is over; sign in again'),
    );
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('does not go on as anybody may after they logged out', async () => {
    const callers = { ...server.config.callers, unauthorizedRole: 'auditor' };
    const config = { ...server.config, callers };
    const settings = { metadata: platformMetadata, parts: new Set(['graphql', 'rest'] as const) };
    const anywhere = await startServer(
      config,
      settings,
      pino({ level: 'silent' }),
      platformWith(config),
    );
    const browser = await signIn(investor);
    const socket = open({ headers: { Cookie: browser.cookie } }, anywhere.url);
    const anybody = open({}, anywhere.url);
    await Promise.all([socket.introduce(), anybody.introduce()]);
    const before = await socket.ask('{ __typename }');
    await browser.fetch('/auth/session', { method: 'DELETE' });
    const answers = [await socket.ask('{ __typename }'), await anybody.ask('{ __typename }')];
    const ended = await socket.ended;
    anybody.end();
    await anywhere.stop();
    expect([before, ...answers]).toMatchObject([
      { type: 'next' },
      failure('access-denied', 'the session is over; sign in again'),
      { type: 'next' },
    ]);
    expect(ended).toMatchObject({ code: 4403 });
  });

  test('a cookie among the headers of the introduction counts for nothing', async () => {
    const socket = open();
    expect(await socket.introduce(await cookieOf(investor))).toMatchObject({
      code: 4403,
      reason: 'x-gql-admin-secret required, but not found',
    });
  });

  test.each([
    ['a page of another site asks', { Origin: 'https://evil.example' }],
    ['the browser says that another site asks', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of the host that is asked has another scheme', { Origin: 'https://localhost' }],
    ['a page has no origin', { Origin: 'null' }],
  ])('gets no socket where %s', async (_what, said) => {
    const headers = { ...(await cookieOf(investor)), Host: 'localhost', ...said };
    expect(await refusalOf(open({ headers }))).toBe('403 cross-site');
  });

  test.each([
    ['Origin', 'https://evil.example'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('is not judged by what the introduction says of %s', async (name, value) => {
    const socket = open({ headers: await cookieOf(investor) });
    expect(await socket.introduce({ [name]: value })).toEqual({ type: 'connection_ack' });
  });

  test('is let in for a page of an application of ours', async () => {
    const headers = { ...(await cookieOf(investor)), Origin: appOrigin };
    expect(await open({ headers }).introduce()).toEqual({ type: 'connection_ack' });
  });
});

test('an SDK is let in by its token until that ends', async () => {
  const token = await sdkToken();
  const socket = open();
  expect(await socket.introduce({ Authorization: `Bearer ${token}` })).toEqual({
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

test('metrics tell how many sockets there are, and what they were answered', async () => {
  const socket = open({ protocols: [modern] });
  await socket.introduce({ 'X-Gql-Admin-Secret': server.adminSecret });
  await socket.ask('{ nothing }');
  const response = await server.fetch('/metrics', {
    headers: { Authorization: `Bearer ${'m'.repeat(16)}` },
  });
  const metrics = await response.text();
  expect(metrics).toMatch(/^rowgate_sockets\{protocol="graphql-transport-ws"\} [1-9]/m);
  expect(metrics).toMatch(/^rowgate_socket_operations_total\{outcome="error"\} [1-9]/m);
});
