import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOwnDatabase, type OwnDatabase, type OwnServer } from '../support/own-database.ts';
import { askWith, goodClaims, makeSecretSigner, namespace, roles, seconds } from './support.ts';

const key = 'k'.repeat(32);
const { sign } = makeSecretSigner('HS256', key);
const jwtSecret = (more: object = {}) => ({
  ROWGATE_JWT_SECRET: JSON.stringify({ type: 'HS256', key, ...more }),
  ROWGATE_UNAUTHORIZED_ROLE: 'visitor',
  ROWGATE_EXCHANGE_RATE: '1000',
});

let database: OwnDatabase;
let plain: OwnServer;
let strict: OwnServer;

beforeAll(async () => {
  database = await createOwnDatabase();
  plain = await database.serve(jwtSecret());
  strict = await database.serve(
    jwtSecret({ audience: ['web', 'mobile'], issuer: 'https://id.example', allowed_skew: 30 }),
  );
});
afterAll(() => database.drop());

const resultOf = async (server: OwnServer, claims: object, headers = {}) =>
  (await askWith(server, await sign(claims), headers)).result;
const refused = (name: string) => ['invalid-jwt', `Could not verify JWT: ${name}`];

describe('the role of a request with a token', () => {
  test('is the default role of the token', async () => {
    expect(await resultOf(plain, goodClaims())).toEqual(['anna']);
  });

  test('is the requested role when the token allows it', async () => {
    expect(await resultOf(plain, goodClaims(), { 'x-gql-role': 'editor' })).toEqual([
      'anna',
      'ben',
    ]);
  });

  test.each(['visitor', 'nobody', 'admin'])(
    '%s is refused when the token does not allow it',
    async (role) => {
      expect(await resultOf(plain, goodClaims(), { 'x-gql-role': role })).toEqual([
        'access-denied',
        'Your requested role is not in allowed roles',
      ]);
    },
  );

  test('is never admin, even when the token allows it', async () => {
    const claims = {
      ...roles,
      'x-hasura-allowed-roles': ['admin'],
      'x-hasura-default-role': 'admin',
    };
    expect(await resultOf(plain, goodClaims({ [namespace]: claims }))).toEqual([
      'access-denied',
      'the role "admin" requires the admin secret',
    ]);
  });

  test('cannot be combined with session variables in headers', async () => {
    expect(await resultOf(plain, goodClaims(), { 'x-gql-user-id': 'ben' })).toEqual([
      'invalid-headers',
      expect.stringContaining('x-gql-user-id'),
    ]);
  });
});

describe('a token', () => {
  test('that has expired is refused although an anonymous role is configured', async () => {
    expect(await resultOf(plain, goodClaims({ exp: seconds(-1) }))).toEqual(refused('JWTExpired'));
    expect((await plain.ask()).result).toEqual(['ben']);
  });

  test.each([
    ['exp', -20, ['anna']],
    ['exp', -40, refused('JWTExpired')],
    ['nbf', 20, ['anna']],
    ['nbf', 40, refused('JWTNotYetValid')],
    ['iat', 20, ['anna']],
    ['iat', 40, refused('JWTIssuedAtFuture')],
  ])(
    'with %s in %i seconds is accepted or refused with a clock tolerance of 30 seconds',
    async (name, offset, result) => {
      const usual = { iss: 'https://id.example', aud: 'web' };
      expect(await resultOf(strict, goodClaims({ ...usual, [name]: seconds(offset) }))).toEqual(
        result,
      );
    },
  );

  test.each([
    ['mobile', ['anna']],
    [['other', 'web'], ['anna']],
    ['other', refused('JWTNotInAudience')],
    [['other'], refused('JWTNotInAudience')],
    [undefined, refused('JWTNotInAudience')],
  ])(
    'with the audience %j is compared with the configured list of audiences',
    async (aud, result) => {
      expect(await resultOf(strict, goodClaims({ iss: 'https://id.example', aud }))).toEqual(
        result,
      );
    },
  );

  test.each(['https://other.example', undefined])('of the issuer %s is refused', async (iss) => {
    expect(await resultOf(strict, goodClaims({ iss, aud: 'web' }))).toEqual(
      refused('JWTNotInIssuer'),
    );
  });

  test('whose times are no numbers is refused', async () => {
    expect(await resultOf(plain, goodClaims({ exp: String(seconds(300)) }))).toEqual([
      'invalid-jwt',
      expect.stringContaining('JWTClaimsSetDecodeError'),
    ]);
  });
});

describe('the claims of a token', () => {
  const withRoles = (claims: unknown) => ({ exp: seconds(300), [namespace]: claims });

  test.each([
    [undefined, 'jwt-invalid-claims', `claims key: '${namespace}' not found`],
    ['text', 'jwt-invalid-claims', 'expecting a json object when claims_format is json'],
    [
      { ...roles, 'x-hasura-allowed-roles': undefined },
      'jwt-missing-role-claims',
      'JWT claim does not contain x-hasura-allowed-roles',
    ],
    [
      { ...roles, 'x-hasura-default-role': undefined },
      'jwt-missing-role-claims',
      'JWT claim does not contain x-hasura-default-role',
    ],
    [
      { ...roles, 'x-hasura-allowed-roles': 'reader' },
      'jwt-invalid-claims',
      'invalid x-hasura-allowed-roles; should be a list of roles',
    ],
    [
      { ...roles, 'x-hasura-user-id': 7 },
      'jwt-invalid-claims',
      'x-hasura-* claims: "x-hasura-user-id" should be a string',
    ],
    [{ ...roles, 'X-Hasura-User-Id': 'ben' }, 'jwt-invalid-claims', 'a claim is given twice'],
  ])('%j are refused', async (claims, code, message) => {
    expect(await resultOf(plain, withRoles(claims))).toEqual([code, message]);
  });

  test('may have the header prefix in their names', async () => {
    const own = Object.entries(roles).map(([name, value]) => [
      name.replace('hasura', 'gql'),
      value,
    ]);
    expect(await resultOf(plain, withRoles(Object.fromEntries(own)))).toEqual(['anna']);
  });

  test('become session variables with the configured prefix only', async () => {
    const server = await database.serve(jwtSecret({ claims_prefix: 'X-App-' }));
    const own = Object.entries(roles).map(([name, value]) => [
      name.replace('hasura', 'app'),
      value,
    ]);
    expect(await resultOf(server, withRoles(Object.fromEntries(own)))).toEqual(['anna']);
    expect(await resultOf(server, goodClaims())).toEqual([
      'jwt-missing-role-claims',
      'JWT claim does not contain x-app-allowed-roles',
    ]);
  });

  test('have names in any case', async () => {
    const upper = Object.entries(roles).map(([name, value]) => [name.toUpperCase(), value]);
    expect(await resultOf(plain, withRoles(Object.fromEntries(upper)))).toEqual(['anna']);
  });

  test('may be under a configured namespace', async () => {
    const server = await database.serve(jwtSecret({ claims_namespace: 'rights' }));
    expect(await resultOf(server, { rights: roles })).toEqual(['anna']);
  });

  test.each(["$.hasura['all.claims'][0]", '$'])('may be at the path %s', async (path) => {
    const server = await database.serve(jwtSecret({ claims_namespace_path: path }));
    const token = { ...roles, hasura: { 'all.claims': [roles] } };
    expect(await resultOf(server, token)).toEqual(['anna']);
  });

  test('that are missing at the configured path are refused', async () => {
    const server = await database.serve(jwtSecret({ claims_namespace_path: '$.hasura.claims' }));
    expect(await resultOf(server, goodClaims())).toEqual([
      'jwt-invalid-claims',
      "claims not found at claims_namespace_path: '$.hasura.claims'",
    ]);
  });

  test('may be a string that contains JSON', async () => {
    const server = await database.serve(jwtSecret({ claims_format: 'stringified_json' }));
    expect(await resultOf(server, withRoles(JSON.stringify(roles)))).toEqual(['anna']);
    for (const wrong of [roles, '{"a":', '[]']) {
      expect(await resultOf(server, withRoles(wrong))).toEqual([
        'jwt-invalid-claims',
        expect.any(String),
      ]);
    }
  });

  test('may be JSON in a text at a path', async () => {
    const server = await database.serve(
      jwtSecret({ claims_namespace_path: '$.app.hasura', claims_format: 'stringified_json' }),
    );
    const token = { app: { hasura: JSON.stringify(roles) } };
    expect(await resultOf(server, token)).toEqual(['anna']);
  });

  test('may be mapped from paths, defaults and fixed values', async () => {
    const server = await database.serve(
      jwtSecret({
        claims_map: {
          'x-hasura-allowed-roles': { path: '$.groups', default: ['reader'] },
          'x-hasura-default-role': 'reader',
          'x-hasura-user-id': { path: '$.user.id' },
          'x-hasura-region': { path: '$.region', default: 'eu' },
        },
      }),
    );
    expect(await resultOf(server, { user: { id: 'ben' } })).toEqual(['ben']);
    expect(
      await resultOf(
        server,
        { user: { id: 'ben' }, groups: ['reader', 'editor'] },
        { 'x-gql-role': 'editor' },
      ),
    ).toEqual(['anna', 'ben']);
    expect(await resultOf(server, { user: {} })).toEqual([
      'jwt-invalid-claims',
      'JWT claim from claims_map, x-hasura-user-id not found',
    ]);
    expect(await resultOf(server, { user: { id: 7 } })).toEqual([
      'jwt-invalid-claims',
      'x-hasura-* claims: "x-hasura-user-id" should be a string',
    ]);
    expect(await resultOf(server, { user: { id: 'ben' }, groups: 'reader' })).toEqual([
      'jwt-invalid-claims',
      'invalid x-hasura-allowed-roles; should be a list of roles',
    ]);
  });
});
