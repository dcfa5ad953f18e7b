import { expect, test } from 'vitest';
import { parsePlatformConfig } from '../../../support/platform.ts';

const secret = 's'.repeat(32);

function webhooksOf(environment: Readonly<Record<string, string>>) {
  return parsePlatformConfig(environment, '/').config.callbacks;
}

test('without configured secrets, the callbacks of every provider are refused', () => {
  expect(webhooksOf({})).toEqual({
    custodySecrets: [],
    cardSecrets: [],
    kycSecrets: [],
    logStreamAddresses: undefined,
  });
});

test('a provider may have two valid secrets, so that a secret can be replaced without a pause', () => {
  const { custodySecrets } = webhooksOf({
    ROWGATE_CUSTODY_WEBHOOK_SECRET: `${secret}, ${'t'.repeat(32)}`,
  });

  expect(custodySecrets).toEqual([secret, 't'.repeat(32)]);
});

test.each([
  ['three secrets', { ROWGATE_CARD_WEBHOOK_SECRET: `${secret},${secret},${secret}` }, /two values/],
  ['a short secret', { ROWGATE_KYC_WEBHOOK_SECRET: 'short' }, /fewer than 16 characters/],
  ['a short second secret', { ROWGATE_CUSTODY_WEBHOOK_SECRET: `${secret},short` }, /fewer than 16/],
  [
    'a host name in the address list',
    { ROWGATE_IDP_LOG_ALLOWLIST: 'logs.example.com' },
    /names "logs.example.com"/,
  ],
  [
    'an address list for everybody',
    { ROWGATE_IDP_LOG_ALLOWLIST: '0.0.0.0/0' },
    /names "0.0.0.0\/0"/,
  ],
  [
    'an address list with too many bits',
    { ROWGATE_IDP_LOG_ALLOWLIST: '203.0.113.0/33' },
    /names "203.0.113.0\/33"/,
  ],
  [
    'an address list with two slashes',
    { ROWGATE_IDP_LOG_ALLOWLIST: '203.0.113.0/24/1' },
    /203.0.113.7/,
  ],
])('the callback setting %s is refused', (_what, environment, problem) => {
  expect(() => webhooksOf(environment)).toThrow(problem);
});

test('no message about callback settings contains a secret', () => {
  expect(() => webhooksOf({ ROWGATE_KYC_WEBHOOK_SECRET: 'swordfish' })).toThrow(
    /^(?!.*swordfish)/s,
  );
});

test.each([
  ['203.0.113.7', 'ipv4', true],
  ['203.0.113.8', 'ipv4', false],
  ['198.51.100.77', 'ipv4', true],
  ['2001:db8::5', 'ipv6', true],
  ['2001:db9::5', 'ipv6', false],
] as const)(
  'the configured address list decides whether %s may send logs: %s %s',
  (address, family, expected) => {
    const { logStreamAddresses } = webhooksOf({
      ROWGATE_IDP_LOG_ALLOWLIST: '203.0.113.7, 198.51.100.0/24, 2001:db8::/32',
    });

    expect(logStreamAddresses?.check(address, family)).toBe(expected);
  },
);
