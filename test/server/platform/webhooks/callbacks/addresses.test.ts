import { afterEach, describe, expect, test } from 'vitest';
import { CallbackWorld } from './support/callback-world.ts';
import { logRecord } from './support/payloads.ts';

let world: CallbackWorld | undefined;
afterEach(async () => {
  await world?.end();
  world = undefined;
});

async function statusOf(
  environment: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  world = await CallbackWorld.make(environment);
  const { status } = await world.post('identity', logRecord('log-1', 's'), headers);
  return status;
}

describe('a callback with log records', () => {
  test.each(['127.0.0.1', '127.0.0.0/8', '203.0.113.0/24, 127.0.0.1/32'])(
    'is accepted from an address in the list %s',
    async (list) => {
      expect(await statusOf({ ROWGATE_IDP_LOG_ALLOWLIST: list })).toBe(202);
    },
  );

  test.each(['203.0.113.0/24', '127.0.0.2', '::1', '::7f00:1'])(
    'is refused from an address outside the list %s',
    async (list) => {
      expect(await statusOf({ ROWGATE_IDP_LOG_ALLOWLIST: list })).toBe(401);
    },
  );

  test('is refused when a listed address appears only in a header of the request', async () => {
    const environment = { ROWGATE_IDP_LOG_ALLOWLIST: '203.0.113.7' };
    const headers = { 'X-Forwarded-For': '203.0.113.7', Forwarded: 'for=203.0.113.7' };
    expect(await statusOf(environment, headers)).toBe(401);
  });

  test('is accepted when a trusted proxy reports a listed address', async () => {
    const environment = {
      ROWGATE_IDP_LOG_ALLOWLIST: '203.0.113.7',
      ROWGATE_TRUST_PROXY: 'loopback',
    };
    expect(await statusOf(environment, { 'X-Forwarded-For': '203.0.113.7' })).toBe(202);
  });

  test('is refused when the listed address comes from a header that the client sent to the trusted proxy', async () => {
    const environment = { ROWGATE_IDP_LOG_ALLOWLIST: '203.0.113.7', ROWGATE_TRUST_PROXY: '1' };
    const headers = { 'X-Forwarded-For': '203.0.113.7, 198.51.100.1' };
    expect(await statusOf(environment, headers)).toBe(401);
  });

  test.each([
    ['203.0.113.0/24', '::ffff:203.0.113.7', 202],
    ['203.0.113.0/24', '::ffff:198.51.100.1', 401],
    ['2001:db8::/32', '2001:db8::5', 202],
    ['2001:db8::/32', '2001:db9::5', 401],
    ['203.0.113.0/24', 'nonsense', 401],
  ])(
    'with the list %s is answered, from the address %s, with status %i',
    async (list, address, status) => {
      const environment = { ROWGATE_IDP_LOG_ALLOWLIST: list, ROWGATE_TRUST_PROXY: 'loopback' };
      expect(await statusOf(environment, { 'X-Forwarded-For': address })).toBe(status);
    },
  );
});
