import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../../server/config/environment.ts';
import { ProcessError } from '../../../server/errors.ts';
import { parsePlatformConfig } from '../../support/platform.ts';

function refusal(environment: Environment): ProcessError {
  try {
    parsePlatformConfig(environment, '/srv/app');
  } catch (error) {
    if (error instanceof ProcessError) return error;
  }
  throw new Error('the environment was accepted');
}

describe('the configuration from an empty environment', () => {
  test('is a development gateway on the loopback address with an embedded database', () => {
    expect(parsePlatformConfig({}, '/srv/app')).toMatchObject({
      warnings: [],
      config: {
        host: '127.0.0.1',
        port: 5678,
        dataDir: '/srv/app/.rowgate',
        baseUrl: 'http://127.0.0.1:5678',
        production: false,
        console: true,
        consoleWrites: true,
        logLevel: 'info',
        database: { kind: 'embedded' },
        adminSecret: undefined,
        headerPrefix: 'X-Gql-',
        rolePrefix: undefined,
        stringifyNumericTypes: false,
        limits: {
          bodyBytes: 1_048_576,
          depth: 15,
          batch: 10,
          statementTimeoutMs: 15_000,
          rows: 10_000,
          responseBytes: 16_777_216,
          answerMemoryBytes: 67_108_864,
          maxWaitMs: 5000,
        },
        poolSize: 10,
        driftInterval: 60,
        storage: { kind: 'disk', folder: '/srv/app/.rowgate/files' },
        callers: {
          appOrigins: new Set(),
          trustProxy: false,
          unauthorizedRole: undefined,
          exchangeRate: 30,
        },
        identity: {
          provider: undefined,
          secretKey: undefined,
          previousSecretKey: undefined,
          signUp: 'open',
          walletAudience: 'wallet-provider',
          rates: { exchange: 30, tokens: 60 },
        },
        documents: {
          brand: {
            ...{ name: 'Rowgate', colour: '#24566b' },
            address: ['1 Example Quay', 'L-1234 Luxembourg'],
          },
          locale: 'en-GB',
          workers: Math.max(1, availableParallelism() - 1),
          queue: 32,
        },
      },
    });
  });

  test('is the same as from an environment with empty variables', () => {
    const ofNothing = parsePlatformConfig({}, '/srv/app').config;
    const events = { ...ofNothing.events, variable: expect.any(Function) };
    expect(parsePlatformConfig({ PORT: '', DATABASE_URL: ' ' }, '/srv/app')).toEqual({
      config: { ...ofNothing, events },
      warnings: [],
    });
  });
});

describe('the configuration from an environment with all variables', () => {
  test('contains every value', () => {
    const { config, warnings } = parsePlatformConfig(
      {
        NODE_ENV: 'production',
        HOST: '0.0.0.0',
        PORT: '80',
        DATABASE_URL: 'postgres://owner:p@db/app',
        DATABASE_DIRECT_URL: 'postgresql://gate:p@db:6432/app',
        ROWGATE_GATEWAY_DATABASE_URL: 'postgres://gate:p@pooler/app',
        ROWGATE_DATA_DIR: '/data',
        ROWGATE_BASE_URL: 'https://api.example.com/',
        ROWGATE_ADMIN_SECRET: 'a'.repeat(32),
        ROWGATE_HEADER_PREFIX: 'X-Hasura-',
        ROWGATE_ROLE_PREFIX: 'app_',
        ROWGATE_STRINGIFY_NUMERIC_TYPES: 'TRUE',
        ROWGATE_CONSOLE: 'on',
        ROWGATE_CONSOLE_WRITES: 'on',
        ROWGATE_LOG_LEVEL: 'warn',
        ROWGATE_POOL_SIZE: '20',
        ROWGATE_DRIFT_INTERVAL: '300',
        ROWGATE_MAX_BODY_BYTES: '2048',
        ROWGATE_MAX_DEPTH: '5',
        ROWGATE_MAX_BATCH: '1',
        ROWGATE_STATEMENT_TIMEOUT_MS: '100',
        ROWGATE_MAX_ROWS: '50',
        ROWGATE_MAX_RESPONSE_BYTES: '4096',
        ROWGATE_ANSWER_MEMORY_BYTES: '1048576',
        ROWGATE_MAX_WAIT_MS: '250',
        ROWGATE_INFER_FUNCTION_PERMISSIONS: 'true',
        ROWGATE_SIDECAR_DATABASE_URL: 'postgres://side:p@pooler/app',
        ROWGATE_SECRET_KEY: 'k'.repeat(32),
        ROWGATE_PREVIOUS_SECRET_KEY: 'p'.repeat(32),
        ROWGATE_IDP_ISSUER: 'https://id.example.com/',
        ROWGATE_IDP_AUDIENCE: 'https://api.example.com, web',
        ROWGATE_IDP_ALGORITHMS: 'ES256,RS256',
        ROWGATE_IDP_JWKS_URL: 'https://id.example.com/keys',
        ROWGATE_IDP_LOGOUT_URL: 'https://id.example.com/v2/logout?federated',
        ROWGATE_IDP_CLIENT_ID: 'rowgate',
        ROWGATE_IDP_EMAIL_CLAIM: 'https://example.com/email',
        ROWGATE_SIGN_UP: 'invited',
        ROWGATE_APP_ORIGINS: 'https://app.example.com,http://localhost:3000',
        ROWGATE_TRUST_PROXY: '10.0.0.0/8, loopback',
        ROWGATE_UNAUTHORIZED_ROLE: 'visitor',
        ROWGATE_WALLET_AUDIENCE: 'https://wallets.example.com',
        ROWGATE_EXCHANGE_RATE: '5',
        ROWGATE_TOKEN_RATE: '7',
        ROWGATE_BRAND_NAME: 'Alder & Sons',
        ROWGATE_BRAND_COLOUR: '#FFCC00',
        ROWGATE_BRAND_ADDRESS: '1 Main Street | London | ',
        ROWGATE_BRAND_FOOTER: 'Registered in England',
        ROWGATE_DOCUMENT_LOCALE: 'de-at',
        ROWGATE_DOCUMENT_WORKERS: '3',
        ROWGATE_DOCUMENT_QUEUE: '9',
        ROWGATE_STORAGE_URL: 's3://files.example/rowgate/',
        ROWGATE_STORAGE_REGION: 'eu-central-1',
        ROWGATE_STORAGE_ENDPOINT: 'https://objects.example.com/',
        ROWGATE_STORAGE_ACCESS_KEY_ID: 'id',
        ROWGATE_STORAGE_SECRET_KEY: 'key',
      },
      '/srv/app',
    );
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 80,
      dataDir: '/data',
      baseUrl: 'https://api.example.com',
      production: true,
      console: true,
      consoleWrites: true,
      logLevel: 'warn',
      database: {
        kind: 'given',
        ownerUrl: 'postgres://owner:p@db/app',
        gatewayUrl: 'postgres://gate:p@pooler/app',
        sidecarUrl: 'postgres://side:p@pooler/app',
        directUrl: 'postgresql://gate:p@db:6432/app',
      },
      adminSecret: 'a'.repeat(32),
      headerPrefix: 'X-Hasura-',
      rolePrefix: 'app_',
      stringifyNumericTypes: true,
      limits: {
        bodyBytes: 2048,
        depth: 5,
        batch: 1,
        statementTimeoutMs: 100,
        rows: 50,
        responseBytes: 4096,
        answerMemoryBytes: 1_048_576,
        maxWaitMs: 250,
      },
      poolSize: 20,
      driftInterval: 300,
      storage: {
        kind: 's3',
        bucket: 'files.example',
        prefix: 'rowgate/',
        region: 'eu-central-1',
        endpoint: 'https://objects.example.com',
        credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
      },
      callers: {
        appOrigins: new Set(['https://app.example.com', 'http://localhost:3000']),
        trustProxy: ['10.0.0.0/8', 'loopback'],
        unauthorizedRole: 'visitor',
        exchangeRate: 5,
      },
      identity: {
        provider: {
          issuer: 'https://id.example.com/',
          audiences: ['https://api.example.com', 'web'],
          algorithms: ['ES256', 'RS256'],
          jwksUrl: 'https://id.example.com/keys',
          logoutUrl: 'https://id.example.com/v2/logout?federated',
          clientId: 'rowgate',
          emailClaim: 'https://example.com/email',
        },
        secretKey: 'k'.repeat(32),
        previousSecretKey: 'p'.repeat(32),
        signUp: 'invited',
        walletAudience: 'https://wallets.example.com',
        rates: { exchange: 5, tokens: 7 },
      },
      documents: {
        brand: {
          name: 'Alder & Sons',
          colour: '#ffcc00',
          address: ['1 Main Street', 'London'],
          footer: 'Registered in England',
        },
        locale: 'de-AT',
        workers: 3,
        queue: 9,
      },
    });
  });

  test('disables the console in production by default', () => {
    const { config } = parsePlatformConfig({ NODE_ENV: 'production' }, '/');
    expect(config.console).toBe(false);
  });

  test('is complete with the URL of the gateway login as its only database URL', () => {
    const { config } = parsePlatformConfig(
      { ROWGATE_GATEWAY_DATABASE_URL: 'postgres://g@db/app' },
      '/',
    );
    expect(config.database).toMatchObject({ kind: 'given', ownerUrl: undefined });
  });
});

test('the configuration reports all mistakes at once, each with its variable and the expected value', () => {
  const error = refusal({
    PORT: 'http',
    DATABASE_URL: 'mysql://root:hunter2@db/app',
    ROWGATE_ADMIN_SECRET: 'hunter3',
    ROWGATE_HEADER_PREFIX: 'X Gql',
    ROWGATE_ROLE_PREFIX: 'pg_x',
    ROWGATE_BASE_URL: 'api.example.com',
    ROWGATE_CONSOLE: 'maybe',
    ROWGATE_LOG_LEVEL: 'loud',
    ROWGATE_POOL_SIZE: '0',
  });
  expect(error).toMatchObject({ code: 'RG_CONFIG', exitCode: 2 });
  expect(error.message.split('\n').slice(1)).toEqual([
    '  PORT is "http"; it must be a whole number from 0 to 65535',
    '  ROWGATE_BASE_URL is "api.example.com"; it must be a URL like https://gateway.example.com',
    '  DATABASE_URL must be a URL like postgres://user:password@host:5432/database',
    '  ROWGATE_HEADER_PREFIX is "X Gql"; it must be like X-Gql-',
    '  ROWGATE_POOL_SIZE is "0"; it must be a whole number from 1 to 1000',
    '  ROWGATE_CONSOLE is "maybe"; it must be true or false',
    '  ROWGATE_LOG_LEVEL is "loud"; it must be one of fatal, error, warn, info, debug, trace, silent',
    '  ROWGATE_ADMIN_SECRET has 7 characters; it must have at least 32, e.g. of: openssl rand -hex 32',
    '  ROWGATE_ROLE_PREFIX is "pg_x"; it must be at most 40 lower-case letters, digits and underscores, not starting with a digit or pg_',
  ]);
});

test.each([
  [{}, 4],
  [{ ROWGATE_POOL_SIZE: '5' }, 2],
  [{ ROWGATE_POOL_SIZE: '1' }, 1],
  [{ ROWGATE_POOL_SIZE: '1', ROWGATE_SOCKET_OPERATIONS: '7' }, 7],
])(
  'one WebSocket may use at most half of the database connections by default: %j',
  (given, most) => {
    expect(parsePlatformConfig(given, '/').config.sockets.operations).toBe(most);
  },
);

test('messages about the environment contain neither secrets nor database URLs', () => {
  const { message } = refusal({
    DATABASE_URL: 'mysql://root:hunter2@db/app',
    ROWGATE_ADMIN_SECRET: 'hunter3',
  });
  expect(message).not.toMatch(/hunter/);
});

test('the share of logged requests is a percentage, and 100 by default', () => {
  const percentOf = (given: Record<string, string>) =>
    parsePlatformConfig(given, '/').config.loggedPercent;
  expect(percentOf({})).toBe(100);
  expect(percentOf({ ROWGATE_LOG_REQUESTS: '0' })).toBe(0);
  expect(percentOf({ ROWGATE_LOG_REQUESTS: '5', ROWGATE_LOG_LEVEL: 'debug' })).toBe(5);
  expect(refusal({ ROWGATE_LOG_REQUESTS: '101' }).message).toMatch(
    'ROWGATE_LOG_REQUESTS is "101"; it must be a whole number from 0 to 100',
  );
});

test.each(['warn', 'error', 'fatal', 'silent'])(
  'a share of logged requests is refused at log level %s, where it has no effect',
  (level) => {
    const given = { ROWGATE_LOG_REQUESTS: '5', ROWGATE_LOG_LEVEL: level };
    expect(refusal(given).message).toMatch(
      `ROWGATE_LOG_REQUESTS has no effect, because ROWGATE_LOG_LEVEL is ${level}; leave it out, or log from info on`,
    );
  },
);

test('the configuration refuses DATABASE_DIRECT_URL without a database URL', () => {
  expect(refusal({ DATABASE_DIRECT_URL: 'postgres://g@db/app' }).message).toMatch(
    'DATABASE_DIRECT_URL also requires DATABASE_URL',
  );
});

test('an unknown environment variable causes a warning that names the likely one', () => {
  expect(
    parsePlatformConfig({ ROWGATE_ADMIN_SECRTE: 'x', ROWGATE_ZZZZZZZZ: 'x' }, '/').warnings,
  ).toEqual([
    'ROWGATE_ADMIN_SECRTE is an unknown variable; did you mean "ROWGATE_ADMIN_SECRET"?',
    'ROWGATE_ZZZZZZZZ is an unknown variable',
  ]);
});

test('the base URL of a server on an IPv6 address contains the address in brackets', () => {
  expect(parsePlatformConfig({ HOST: '::1' }, '/').config.baseUrl).toBe('http://[::1]:5678');
});

test.each([
  ['#', '%23'],
  ['@', '%40'],
  ['/', '%2F'],
  ['?', '%3F'],
  ['%', '%25'],
  [' ', '%20'],
])(
  'an unescaped "%s" in the password of a database URL is refused, with the way to write it',
  (character, code) => {
    const url = `postgres://me:hunt${character}wort2@db:5432/app?sslmode=require&application_name=a@b`;
    const { message } = refusal({ DATABASE_URL: url });
    expect(message.split('\n')[1]).toBe(
      `  DATABASE_URL has reserved characters in its user or password; write "${character}" as ${code}`,
    );
  },
);

test.each([
  'postgres://me:p%23%40@db:5432/app',
  'postgres://me@[::1]/app?application_name=a@b&sslmode=require',
  'postgresql://db/app',
])('the database URL %s is accepted', (url) => {
  const { config } = parsePlatformConfig({ DATABASE_URL: url }, '/srv/app');
  expect(config.database).toMatchObject({ ownerUrl: url });
});
