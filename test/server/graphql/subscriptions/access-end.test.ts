import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../../../server/start/start-server.ts';
import { platformMetadata } from '../../../support/http.ts';
import { platformWith } from '../../../support/platform.ts';
import { bearerOf, makeNewcomer, signedIn } from '../../platform/accounts/support/people.ts';
import { makeWorld, type World } from '../../platform/accounts/support/world.ts';
import { RawSocket } from '../websocket/support/raw-socket.ts';
import { subscribe } from './support/tenants.ts';

const admin = 'local|alder-admin';
const query = 'subscription { organization { id } }';
const role = { 'X-Gql-Role': 'organization_admin' };

let world: World;
/** Another server on the same database, which checks callers often. */
let another: Awaited<ReturnType<typeof startServer>>;
const sockets: RawSocket[] = [];
beforeAll(async () => {
  world = await makeWorld({ ROWGATE_SUBSCRIPTION_RECHECK: '3600' });
  const { config } = world.server;
  const checking = { ...config, subscriptions: { ...config.subscriptions, recheckMs: 200 } };
  const settings = { metadata: platformMetadata, parts: new Set(['graphql', 'rest'] as const) };
  const logger = pino({ level: 'silent' });
  another = await startServer(checking, settings, logger, platformWith(checking));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.end();
});
afterAll(async () => {
  await another.stop();
  await world.end();
});

/** Opens a socket with a subscription that has its first answer. */
async function open(
  headers: Record<string, string>,
  upgrade: Readonly<Record<string, string>> = {},
  url = world.server.url,
): Promise<RawSocket> {
  const socket = new RawSocket(url, { headers: upgrade });
  sockets.push(socket);
  await socket.init({ ...headers, ...role });
  socket.send(subscribe('a', query));
  expect(await socket.next()).toMatchObject({ id: 'a', type: 'next' });
  return socket;
}

describe('a socket with a subscription is closed', () => {
  test('when its session logs out', async () => {
    const person = await signedIn(world, admin);
    const socket = await open({}, { Cookie: person.cookie });
    await person.fetch('/auth/session', { method: 'DELETE' });
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('when its token is revoked', async () => {
    const token = await bearerOf(world, admin);
    const socket = await open(token);
    await world.server.fetch('/auth/logout?x-client-type=api', { headers: token });
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('within the time between two checks when another process has ended its session', async () => {
    const browser = await signedIn(world, admin);
    const socket = await open({}, { Cookie: browser.cookie }, another.url);
    await browser.fetch('/auth/session', { method: 'DELETE' });
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });

  test('after its person has lost the role', async () => {
    const person = await makeNewcomer(world, 'loser', 'organization_admin');
    const socket = await open(await bearerOf(world, person), {}, another.url);
    await world.sql(`delete from public.user_role where user_id = '${person}' and role <> 'user'`);
    expect(await socket.ended).toMatchObject({ code: 4403 });
  });
});

test('a subscription continues with the rows of new session variables, which its caller has without a new token', async () => {
  const person = await makeNewcomer(world, 'keeper', 'fund_manager');
  const fund = '40000000-0000-4000-8000-000000000001';
  const socket = new RawSocket(another.url);
  sockets.push(socket);
  await socket.init({ ...(await bearerOf(world, person)), 'X-Gql-Role': 'fund_manager' });
  socket.send(subscribe('f', 'subscription { fund { id } }'));
  expect(await socket.next()).toMatchObject({ payload: { data: { fund: [] } } });
  await world.sql(`insert into public.fund_access values ('${person}', '${fund}')`);
  expect(await socket.next()).toMatchObject({ payload: { data: { fund: [{ id: fund }] } } });
});
