import type { Request } from 'express';
import { describe, expect, test } from 'vitest';
import type { Model } from '../../../permissions/index.ts';
import {
  adminSecretAuthenticator,
  type Headers,
  identify,
  unauthorizedAuthenticator,
  variablesOf,
} from '../../../server/caller/authenticate.ts';

const secret = 'a-secret-of-at-least-32-characters!!';
const model: Model = {
  rolePrefix: 't_',
  headerPrefix: 'X-Gql-',
  roles: new Map([
    [
      'admin',
      {
        name: 'admin',
        postgresName: 't_admin',
        purpose: '',
        requires: [],
        inherits: [],
        limits: undefined,
        introspection: true,
        tables: new Map(),
        functions: [],
      },
    ],
  ]),
  tables: new Map(),
  functions: new Map(),
  variables: ['city'],
  events: new Map(),
  schedules: new Map(),
  graphile: undefined,
  actions: new Map(),
  customTypes: new Map(),
  allowList: [],
  fingerprint: '',
};

/**
 * Decodes UTF-8 bytes as Latin-1, as Node does for header values, so that a test sees the text that the server
 * receives.
 */
const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

const whoAsks = (headers: Headers) => {
  const headersDistinct = { 'x-gql-admin-secret': [secret], ...headers };
  return identify(
    [adminSecretAuthenticator(secret)],
    { headersDistinct } as unknown as Request,
    model,
  );
};

test('functions receive all variables beside the admin secret, but not the secret, the role and switches', async () => {
  const { session } = await whoAsks({
    'x-gql-role': ['admin'],
    'x-gql-debug': ['true'],
    'x-gql-use-backend-only-permissions': ['true'],
    'x-gql-city': ['Rome'],
    'x-gql-other': ['1'],
    'x-gql-empty': [''],
    'x-other': ['2'],
  });
  expect([...(session ?? [])]).toEqual([
    ['x-gql-city', 'Rome'],
    ['x-gql-other', '1'],
  ]);
});

test('functions receive claims of another prefix under the prefix of the model', () => {
  const claims = new Map([
    ['x-hasura-city', 'Rome'],
    ['x-hasura-role', 'admin'],
    ['x-hasura-other', '1'],
  ]);
  const { variables, session = [] } = variablesOf(claims, 'x-hasura-', model);
  expect([...variables]).toEqual([['city', 'Rome']]);
  expect([...session]).toEqual([
    ['x-gql-city', 'Rome'],
    ['x-gql-other', '1'],
  ]);
});

describe('a session variable that arrives in an HTTP header', () => {
  test('is decoded as UTF-8', async () => {
    const { variables } = await whoAsks({ 'x-gql-city': [bytes('Zürich')] });
    expect(variables.get('city')).toBe('Zürich');
  });

  test('is refused when its bytes are not valid UTF-8', async () => {
    await expect(whoAsks({ 'x-gql-city': ['Z\xfcrich'] })).rejects.toThrow(
      'header "x-gql-city" is not UTF-8',
    );
  });

  test('is refused when the header is sent twice, instead of joining the two values', async () => {
    await expect(whoAsks({ 'x-gql-city': ['Rome', 'Zurich'] })).rejects.toThrow(
      'header "x-gql-city" is sent twice',
    );
  });
});

test('a request that sends the role header or the admin secret twice is refused', async () => {
  await expect(whoAsks({ 'x-gql-role': ['admin', 'admin'] })).rejects.toThrow('is sent twice');
  await expect(whoAsks({ 'x-gql-admin-secret': [secret, secret] })).rejects.toThrow(
    'is sent twice',
  );
});

describe('a request without credentials, when an anonymous role is configured,', () => {
  const anonymous = (headers: Headers) =>
    identify(
      [unauthorizedAuthenticator('admin')],
      { headersDistinct: headers } as unknown as Request,
      model,
    );

  test('acts in the configured role, whether or not the role header names it', async () => {
    for (const headers of [{}, { 'x-gql-role': ['admin'] }]) {
      const { role, variables, isBackend } = await anonymous(headers);
      expect([role.name, variables.size, isBackend]).toEqual(['admin', 0, false]);
    }
  });

  test('is refused when it requests another role', async () => {
    await expect(anonymous({ 'x-gql-role': ['user'] })).rejects.toThrow('not in allowed roles');
  });

  test.each(['x-gql-city', 'x-gql-use-backend-only-permissions'])(
    'is refused when it sends %s',
    async (name) => {
      await expect(anonymous({ [name]: ['true'] })).rejects.toThrow(
        `header "${name}" is for requests`,
      );
    },
  );
});
