import express from 'express';
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../../../server/config/environment.ts';
import { ProcessError } from '../../../../server/errors.ts';
import { parsePlatformConfig } from '../../../support/platform.ts';

const issuer = { ROWGATE_IDP_ISSUER: 'https://id.example.com/' };
const provider = { ...issuer, ROWGATE_IDP_AUDIENCE: 'api' };

function identityOf(environment: Environment) {
  const { callers, identity } = parsePlatformConfig(environment, '/srv/app').config;
  return { ...callers, ...identity };
}

/** Returns the problems of an environment that is refused, one per line. */
function problemsOf(environment: Environment): readonly string[] {
  try {
    parsePlatformConfig(environment, '/srv/app');
  } catch (error) {
    if (error instanceof ProcessError) return error.message.split('\n  ').slice(1);
  }
  throw new Error('the environment was accepted');
}

test('the role of requests without credentials cannot be admin', () => {
  expect(problemsOf({ ROWGATE_UNAUTHORIZED_ROLE: 'admin' })).toEqual([
    'ROWGATE_UNAUTHORIZED_ROLE is "admin", which would let anybody do all',
  ]);
  expect(identityOf({ ROWGATE_UNAUTHORIZED_ROLE: 'visitor' }).unauthorizedRole).toBe('visitor');
});

describe('the settings of an identity provider', () => {
  test('are complete with an issuer and an audience', () => {
    expect(identityOf(provider).provider).toEqual({
      issuer: 'https://id.example.com/',
      audiences: ['api'],
      algorithms: ['RS256'],
      jwksUrl: undefined,
      logoutUrl: undefined,
      clientId: undefined,
      emailClaim: 'email',
    });
  });

  test('require an audience', () => {
    expect(problemsOf(issuer)).toEqual([
      'ROWGATE_IDP_AUDIENCE must be set beside ROWGATE_IDP_ISSUER',
    ]);
  });

  test.each(['ROWGATE_IDP_AUDIENCE', 'ROWGATE_IDP_CLIENT_ID', 'ROWGATE_IDP_EMAIL_CLAIM'])(
    'require an issuer when %s is set',
    (name) => {
      expect(problemsOf({ [name]: 'x' })).toEqual([`${name} needs ROWGATE_IDP_ISSUER beside it`]);
    },
  );

  test('accept an issuer that is not a URL when the address of the keys is set', () => {
    const named = { ROWGATE_IDP_ISSUER: 'accounts.example.com', ROWGATE_IDP_AUDIENCE: 'api' };
    expect(problemsOf(named)).toEqual([
      'ROWGATE_IDP_ISSUER is no URL, so ROWGATE_IDP_JWKS_URL must be set beside it',
    ]);
    const keys = { ROWGATE_IDP_JWKS_URL: 'https://id.example.com/keys' };
    expect(identityOf({ ...named, ...keys }).provider?.issuer).toBe('accounts.example.com');
  });

  test.each(['none', 'HS256', 'rs256', 'RS256 ES256'])('do not accept the algorithm %s', (name) => {
    expect(problemsOf({ ...provider, ROWGATE_IDP_ALGORITHMS: `ES256,${name}` })).toEqual([
      `ROWGATE_IDP_ALGORITHMS names "${name}"; there are RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512`,
    ]);
  });

  test('accept only web URLs', () => {
    const urls = {
      ROWGATE_IDP_JWKS_URL: 'file:///etc/keys',
      ROWGATE_IDP_LOGOUT_URL: 'javascript:1',
    };
    expect(problemsOf({ ...provider, ...urls })).toEqual([
      'ROWGATE_IDP_JWKS_URL is "file:///etc/keys"; it must be a URL like https://gateway.example.com',
      'ROWGATE_IDP_LOGOUT_URL is "javascript:1"; it must be a URL that begins with https://',
    ]);
  });
});

test.each(['ROWGATE_SECRET_KEY', 'ROWGATE_PREVIOUS_SECRET_KEY'])(
  'the secret %s must be long enough, and no message shows it',
  (name) => {
    expect(problemsOf({ [name]: 'hunter2' })).toEqual([
      `${name} has 7 characters; it must have at least 32, e.g. of: openssl rand -hex 32`,
    ]);
  },
);

test.each([
  '*',
  'null',
  'app.example.com',
  'https://app.example.com/',
  'https://app.example.com/path',
  'https://*.example.com',
  'https://user@app.example.com',
  'HTTPS://app.example.com',
  'https://app.example.com:443',
  'ftp://app.example.com',
])(
  'the allowed origin %s is refused, because it is not the origin of a web application',
  (origin) => {
    expect(problemsOf({ ROWGATE_APP_ORIGINS: `https://ok.example.com,${origin}` })).toEqual([
      `ROWGATE_APP_ORIGINS names "${origin}"; it must hold origins like https://app.example.com`,
    ]);
  },
);

describe('the setting for trusted proxies', () => {
  test.each([
    ['', false],
    ['0', false],
    ['1', 1],
    ['2', 2],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, 192.168.1.7, fd00::/8, ::1', ['10.0.0.0/8', '192.168.1.7', 'fd00::/8', '::1']],
  ])('accepts "%s", in the syntax of Express', (text, trusted) => {
    const { trustProxy } = identityOf({ ROWGATE_TRUST_PROXY: text });
    expect(trustProxy).toEqual(trusted);
    expect(() => express().set('trust proxy', trustProxy)).not.toThrow();
  });

  test.each([
    'true',
    '*',
    '100',
    'proxy.example.com',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0',
    'fd00::/129',
    '....',
  ])('refuses "%s"', (text) => {
    expect(problemsOf({ ROWGATE_TRUST_PROXY: `loopback,${text}` })).toEqual([
      `ROWGATE_TRUST_PROXY names "${text}"; it must be a number of proxies, or addresses like 10.0.0.0/8, loopback`,
    ]);
  });
});

test('the setting for sign-up accepts only its two values', () => {
  expect(problemsOf({ ROWGATE_SIGN_UP: 'closed' })).toEqual([
    'ROWGATE_SIGN_UP is "closed"; it must be one of open, invited',
  ]);
});

test.each(['ROWGATE_EXCHANGE_RATE', 'ROWGATE_TOKEN_RATE'])(
  'the rate limit %s cannot be zero',
  (name) => {
    expect(problemsOf({ [name]: '0' })).toEqual([
      `${name} is "0"; it must be a whole number from 1 to 1000000`,
    ]);
  },
);

test('the URL of a sidecar login is refused without a database URL', () => {
  expect(problemsOf({ ROWGATE_SIDECAR_DATABASE_URL: 'postgres://s@db/app' })).toEqual([
    'ROWGATE_SIDECAR_DATABASE_URL also requires DATABASE_URL',
  ]);
});
