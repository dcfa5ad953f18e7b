import type { Request } from 'express';
import { describe, expect, test } from 'vitest';
import type { Model } from '../../../permissions/index.ts';
import {
  adminSecretAuthenticator,
  type Headers,
  identify,
  unauthorizedAuthenticator,
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

/** Decodes a header as Node does. */
const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

const whoAsks = (headers: Headers) => {
  const headersDistinct = { 'x-gql-admin-secret': [secret], ...headers };
  return identify(
    [adminSecretAuthenticator(secret)],
    { headersDistinct } as unknown as Request,
    model,
  );
};

describe('a variable in a header', () => {
  test('is read as UTF-8', async () => {
    const { variables } = await whoAsks({ 'x-gql-city': [bytes('Zürich')] });
    expect(variables.get('city')).toBe('Zürich');
  });

  test('that is not UTF-8 is refused', async () => {
    await expect(whoAsks({ 'x-gql-city': ['Z\xfcrich'] })).rejects.toThrow(
      'header "x-gql-city" is not UTF-8',
    );
  });

  test('that is sent twice is refused, not joined', async () => {
    await expect(whoAsks({ 'x-gql-city': ['Rome', 'Zurich'] })).rejects.toThrow(
      'header "x-gql-city" is sent twice',
    );
  });
});

test('a role or a secret that is sent twice is refused', async () => {
  await expect(whoAsks({ 'x-gql-role': ['admin', 'admin'] })).rejects.toThrow('is sent twice');
  await expect(whoAsks({ 'x-gql-admin-secret': [secret, secret] })).rejects.toThrow(
    'is sent twice',
  );
});

describe('a caller without credentials', () => {
  const anonymous = (headers: Headers) =>
    identify(
      [unauthorizedAuthenticator('admin')],
      { headersDistinct: headers } as unknown as Request,
      model,
    );

  test('gets the configured role, whether the request names it or not', async () => {
    for (const headers of [{}, { 'x-gql-role': ['admin'] }]) {
      const { role, variables, isBackend } = await anonymous(headers);
      expect([role.name, variables.size, isBackend]).toEqual(['admin', 0, false]);
    }
  });

  test('cannot request another role', async () => {
    await expect(anonymous({ 'x-gql-role': ['user'] })).rejects.toThrow('not in allowed roles');
  });

  test.each(['x-gql-city', 'x-gql-use-backend-only-permissions'])(
    'cannot send %s',
    async (name) => {
      await expect(anonymous({ [name]: ['true'] })).rejects.toThrow(
        `header "${name}" is for requests`,
      );
    },
  );
});
